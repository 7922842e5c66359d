// A page opened from a disk may start no worker, and the search of the site runs in one. There a hidden frame does its work.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.appendChild(this.frame);
      const inside = this.frame.contentDocument;
      inside.open();
      inside.write("<!DOCTYPE html><title>search</title><body></body>");
      inside.close();
      const frame = this.frame.contentWindow;
      frame.postMessage = (data) => {
        const event = new MessageEvent("message", { data });
        this.dispatchEvent(event);
        if (this.onmessage) this.onmessage(event);
      };
      this.ready = new Promise((done, failed) => {
        const script = inside.createElement("script");
        script.src = new URL(url, location.href).href;
        script.onload = done;
        script.onerror = failed;
        inside.body.appendChild(script);
      });
    }

    postMessage(data) {
      this.ready.then(() => {
        const frame = this.frame.contentWindow;
        const event = new frame.MessageEvent("message", { data });
        frame.dispatchEvent(event);
      });
    }

    terminate() {
      this.frame.remove();
    }
  };
}

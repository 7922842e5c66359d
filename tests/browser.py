"""A real browser that tests open pages in: Chromium, spoken to over a pair of pipes."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
PATIENCE = 60.0
AXE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "referee" / "axe-core" / "axe.min.js"
"""The checker of accessibility, where `.ci/seen` has brought it."""
_SWITCHES = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
    "--disable-component-update", "--disable-background-networking", "--remote-debugging-pipe",
)  # fmt: skip
_KEYS = {
    "ArrowLeft": 37, "ArrowRight": 39, "Home": 36, "End": 35, "Tab": 9, "Enter": 13, " ": 32, "n": 78, "p": 80,
}  # fmt: skip


_AT_3_AND_4 = """
import os, sys
asks, answers = (os.dup(os.dup(os.dup(int(end)))) for end in sys.argv[1:3])
os.dup2(asks, 3), os.dup2(answers, 4)
os.execv(sys.argv[3], sys.argv[3:])
"""
"""Starts the browser, which reads what it is asked at 3 and answers at 4."""


class Page:
    """One page of the browser: what it asked of a network, what its console said, and its script."""

    def __init__(self, to: int, out: int) -> None:
        self.said: list[str] = []
        self._asked: dict[str, str] = {}
        self._to, self._from, self._rest, self._number, self._session = to, out, b"", 0, ""
        self._loaded = False
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "Accessibility"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setFocusEmulationEnabled", enabled=True)

    def call(self, method: str, **parameters: Any) -> Any:
        """Asks the browser for something and waits for its answer."""
        self._number += 1
        asked = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            asked["sessionId"] = self._session
        os.write(self._to, json.dumps(asked).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                assert "error" not in answer, (method, answer["error"])
                return answer["result"]

    def open(self, path: Path, at: str = "", wide: int = 1280, high: int = 900, **media: str) -> None:
        """Opens a file in a window of so many pixels; `media` as `scheme="dark"` or `kind="print"`."""
        self.said.clear()
        self._asked.clear()
        self._loaded = False
        phone = wide < 600
        self.call(
            "Emulation.setDeviceMetricsOverride", width=wide, height=high, deviceScaleFactor=1, mobile=phone
        )
        scheme = [{"name": "prefers-color-scheme", "value": media.get("scheme", "light")}]
        self.call("Emulation.setEmulatedMedia", media=media.get("kind", "screen"), features=scheme)
        # An address that differs only after the `#` would not open the page anew.
        for address in ("about:blank", path.resolve().as_uri() + at):
            self._loaded = False
            self.call("Page.navigate", url=address)
            until = time.monotonic() + PATIENCE
            while not self._loaded and time.monotonic() < until:
                self._next()
            assert self._loaded

    @property
    def asked(self) -> list[str]:
        """The addresses the page asked for, itself among them."""
        return [address for address in self._asked.values() if address != "about:blank"]

    def run(self, script: str) -> Any:
        """What a piece of script comes to in the page."""
        done = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in done, done["exceptionDetails"]
        return done["result"].get("value")

    def press(self, key: str, times: int = 1) -> None:
        """Presses a key, as a player does."""
        for _ in range(times):
            about = {"key": key, "windowsVirtualKeyCode": _KEYS[key], "code": key}
            text = {"Enter": "\r", " ": " "}.get(key, key if len(key) == 1 else "")
            self.call("Input.dispatchKeyEvent", type="keyDown", **about, **({"text": text} if text else {}))
            self.call("Input.dispatchKeyEvent", type="keyUp", **about)

    def picture(self, path: Path, *, whole: bool = False) -> None:
        """Writes what is seen as a PNG picture."""
        shot = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(shot["data"]))

    def printed(self) -> bytes:
        """The page as it is printed on A4."""
        sheet = {"paperWidth": 8.27, "paperHeight": 11.69, "printBackground": False}
        return base64.b64decode(self.call("Page.printToPDF", **sheet)["data"])

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._from], [], [], PATIENCE)
            assert ready, "the browser says nothing"
            self._rest += os.read(self._from, 1 << 16)
        line, _, self._rest = self._rest.partition(b"\0")
        told: dict[str, Any] = json.loads(line)
        self._hear(str(told.get("method", "")), told.get("params", {}))
        return told

    def _hear(self, method: str, told: dict[str, Any]) -> None:
        if method == "Page.loadEventFired":
            self._loaded = True
        elif method == "Runtime.exceptionThrown":
            self.said.append(str(told["exceptionDetails"].get("exception", {}).get("description", told)))
        elif method == "Runtime.consoleAPICalled":
            self.said.append(" ".join(str(one.get("value")) for one in told["args"]))
        elif method == "Log.entryAdded":
            self.said.append(str(told["entry"]["text"]))
        elif method == "Network.requestWillBeSent":
            self._asked[told["requestId"]] = str(told["request"]["url"])
        elif method == "Network.loadingFailed" and told.get("blockedReason"):
            # Stopped by the page's own policy: it never left.
            self._asked.pop(told["requestId"], None)


@contextmanager
def chromium(profile: Path) -> Iterator[Page]:
    """A page of a browser that is closed afterwards."""
    assert CHROMIUM
    asks, to = os.pipe()
    out, answers = os.pipe()

    started = [sys.executable, "-c", _AT_3_AND_4, str(asks), str(answers), CHROMIUM, *_SWITCHES]
    browser = subprocess.Popen(
        [*started, f"--user-data-dir={profile}"],
        pass_fds=(asks, answers),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(asks)
    os.close(answers)
    try:
        yield Page(to, out)
    finally:
        browser.terminate()
        browser.wait(20)
        os.close(to)
        os.close(out)

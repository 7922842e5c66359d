"""Recomputes all dice of a game record with nothing but Python: `python check_dice.py duel.jsonl`."""

import json
import sys
from hashlib import sha256
from hmac import digest as hmac
from itertools import chain, count, islice
from pathlib import Path


def of(kind, roll=None):
    return [e["data"] for e in log if e["type"] == kind and roll in (None, e["data"].get("roll"))]


def key_of(result):
    def hashed(tag, version=1, **secret):
        text = json.dumps({"game": game, **secret}, sort_keys=True, separators=(",", ":"))
        return sha256(f"referee.{tag}.v{version}\n{text}".encode()).digest()

    if dice["mode"] == "seed":
        return sha256(b"referee.seed.v1\n" + dice["text"].encode()).digest()
    if dice["mode"] == "peer":
        roll = result["roll"]
        keys = {key["player"]: key["key"] for key in of("key", roll)}
        return hashed("peerkey", 2, roll=roll, players=keys, declaration=result["declaration"])
    nonces = {nonce["player"]: nonce["nonce"] for nonce in of("nonce")}
    return hashed("dicekey", umpire=of("dice_seed")[0]["seed"], players=nonces)


def is_good(result, key):
    head = b"referee.dice.v1\n" + result["roll"].to_bytes(8, "big")
    stream = chain.from_iterable(hmac(key, head + n.to_bytes(4, "big"), "sha256") for n in count())
    for group in result["dice"]:
        fair = (byte % group["sides"] + 1 for byte in stream if byte < 256 - 256 % group["sides"])
        yield list(islice(fair, group["count"])) == group["faces"]


log = [json.loads(line) for line in Path(sys.argv[1]).read_bytes().splitlines()]
game, dice = log[0]["data"]["game"], log[0]["data"]["dice"]
checks = {r["roll"]: all(is_good(r, key_of(r))) for r in of("result") if "entered_by" not in r}
print("\n".join(f"roll {roll} {'good' if good else 'WRONG'}" for roll, good in checks.items()))
sys.exit(0 if all(checks.values()) else 3)

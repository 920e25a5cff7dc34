"""Decodes ids of idgen. Raises ValueError for what is no id."""
from dataclasses import dataclass

MAX_ID = 2**63 - 1
CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
FORMS = {  # form: alphabet and number of characters
    "hex": ("0123456789ABCDEF", 16),
    "base32": (CROCKFORD, 13),
    "base32Checked": (CROCKFORD, 13),  # and a check character
    "base62": ("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", 11),
}


@dataclass(frozen=True)
class Layout:
    """Counts ticks since the epoch; both are in milliseconds."""
    epoch_millis: int
    tick_millis: int
    time_bits: int
    datacenter_bits: int
    worker_bits: int
    sequence_bits: int
    sequence_above_worker: bool = False


@dataclass(frozen=True)
class Parts:
    millis: int  # since 1970
    datacenter: int
    worker: int
    sequence: int


IDGEN = Layout(1704067200000, 1, 41, 5, 5, 12)


def decode(id, layout=IDGEN):
    """Returns the parts of an id."""
    workers = layout.datacenter_bits + layout.worker_bits
    below_time = workers + layout.sequence_bits
    if id < 0 or id >> (layout.time_bits + below_time):
        raise ValueError(f"{id} is no id of this layout")
    worker_shift, sequence_shift = (0, workers) if layout.sequence_above_worker else (layout.sequence_bits, 0)
    packed = id >> worker_shift & (1 << workers) - 1
    return Parts(
        layout.epoch_millis + (id >> below_time) * layout.tick_millis,
        packed >> layout.worker_bits,
        packed & (1 << layout.worker_bits) - 1,
        id >> sequence_shift & (1 << layout.sequence_bits) - 1,
    )


def from_text(text, form):
    """Returns the id that a text of one of the FORMS stands for."""
    alphabet, length = FORMS[form]
    if form != "base62" and text.isascii():
        text = text.upper()
    if form.startswith("base32"):
        text = text.replace("O", "0").replace("I", "1").replace("L", "1")
    digits = [alphabet.find(c) for c in text[:length]]
    id = 0
    for digit in digits:
        id = id * len(alphabet) + digit
    check = (CROCKFORD + "*~$=U")[id % 37] if form == "base32Checked" else ""
    if len(digits) < length or -1 in digits or id > MAX_ID or text[length:] != check:
        raise ValueError(f"{text!r} is no id in {form}")
    return id


def from_public_id(text, prefix, keys, bits=63):
    """Returns the id behind a public id. The keys are by version; bits is 63 or 53, as the permutation has."""
    begin, _, body = text.lower().rpartition("_")
    version = next((v for v in keys if begin == (prefix + "_" if prefix else "") + f"k{v}"), None)
    if version is None or not text.isascii():
        raise ValueError(f"{text!r} has another prefix, or the version of an unknown key")
    id = from_text(body, "base32")
    if id >> bits:
        raise ValueError(f"{text!r} is above {bits} bits")
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
    aes = Cipher(algorithms.AES(keys[version]), modes.ECB()).encryptor()
    half = (bits + 1) // 2
    mask = (1 << half) - 1
    while True:  # the network covers one bit more than an id of 63 or 53 bits has: repeat until the result is an id
        left, right = id >> half, id & mask
        for round in reversed(range(10)):
            block = bytes([bits, round]) + bytes(6) + left.to_bytes(8, "big")
            mixed = int.from_bytes(aes.update(block)[:8], "big") & mask
            left, right = right ^ mixed, left
        id = left << half | right
        if not id >> bits:
            return id

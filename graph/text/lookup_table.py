"""Tables of keys and values that are searched as they are stored, so that a short question reads no table line by line."""

from __future__ import annotations

_OFTEN = 400  # binary searches, which take as long as building a dictionary of the table


class LookupTable:
    """ASCII lines "key, tab, value" in the byte order of the keys, searched as they are, or often by a dictionary."""

    def __init__(self, lines: bytes) -> None:
        self._bytes = b"\n" + lines
        self._lookups = 0
        self._values: dict[str, str] = {}

    def get(self, key: str) -> str:
        """Return the value of `key`; empty for a key without a line."""
        if self._values:
            return self._values.get(key, "")
        if not key.isascii():
            return ""
        self._lookups += 1
        if self._lookups > _OFTEN:
            lines = self._bytes.decode("ascii").splitlines()[1:]
            self._values = {entry: value for entry, _, value in (line.partition("\t") for line in lines)}
            return self._values.get(key, "")
        wanted = key.encode()
        low, high = 0, len(self._bytes) - 1
        while low < high:
            middle = max(low, self._bytes.rfind(b"\n", low, (low + high) // 2 + 1))
            end = self._bytes.find(b"\n", middle + 1)
            entry, _, value = self._bytes[middle + 1 : end].partition(b"\t")
            if entry == wanted:
                return value.decode()
            if entry < wanted:
                low = end
            else:
                high = middle
        return ""

"""Compares idgen.py with vectors.json."""
import json
import pathlib
import sys
import unittest

CLIENTS = pathlib.Path(__file__).parent.parent
sys.path.insert(0, str(CLIENTS))
import idgen  # noqa: E402

VECTORS = json.loads((CLIENTS / "vectors.json").read_text(encoding="utf-8"))


class Vectors(unittest.TestCase):
    def test_layouts(self):
        for v in VECTORS["layouts"]:
            layout = idgen.Layout(v["epochMillis"], v["tickMillis"], v["timeBits"], v["datacenterBits"],
                                  v["workerBits"], v["sequenceBits"], v["sequenceAboveWorker"])
            if v["name"] == "idgen":
                self.assertEqual(layout, idgen.IDGEN)
            for id in v["ids"]:
                parts = idgen.Parts(id["millis"], id["datacenter"], id["worker"], id["sequence"])
                self.assertEqual(idgen.decode(int(id["id"]), layout), parts)
            for id in v["noIds"]:
                self.assertRaises(ValueError, idgen.decode, int(id), layout)

    def test_texts(self):
        for v in VECTORS["texts"]:
            for form in idgen.FORMS:
                self.assertEqual(idgen.from_text(v[form], form), int(v["id"]))
        for v in VECTORS["noTexts"]:
            self.assertRaises(ValueError, idgen.from_text, v["text"], v["form"])

    def test_public_ids(self):
        for v in VECTORS["publicIds"]:
            keys = {v["version"]: bytes.fromhex(v["key"])}
            for id in v["ids"]:
                for text in (id["text"], id["text"].lower()):
                    self.assertEqual(idgen.from_public_id(text, v["prefix"], keys, v["bits"]), int(id["id"]))
            for text in v["noTexts"]:
                self.assertRaises(ValueError, idgen.from_public_id, text, v["prefix"], keys, v["bits"])


unittest.main()

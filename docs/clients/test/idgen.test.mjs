// Compares idgen.mjs with vectors.json.
import assert from 'node:assert/strict';
import { createCipheriv } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { decode, fromPublicId, fromText, IDGEN } from '../idgen.mjs';

const vectors = JSON.parse(readFileSync(new URL('../vectors.json', import.meta.url)));

for (const { name, ids, noIds, ...layout } of vectors.layouts) {
  if (name === 'idgen') {
    assert.deepEqual(IDGEN, layout);
  }
  for (const { id, ...parts } of ids) {
    assert.deepEqual(decode(BigInt(id), layout), parts);
  }
  for (const id of noIds) {
    assert.throws(() => decode(BigInt(id), layout), RangeError);
  }
}
for (const { id, ...texts } of vectors.texts) {
  for (const [form, text] of Object.entries(texts)) {
    assert.equal(fromText(text, form), BigInt(id));
  }
}
for (const { form, text } of vectors.noTexts) {
  assert.throws(() => fromText(text, form), RangeError, text);
}
for (const { prefix, version, bits, key, ids, noTexts } of vectors.publicIds) {
  const secret = Buffer.from(key, 'hex');
  const encrypt = { [version]: (block) => createCipheriv('aes-256-ecb', secret, null).update(block) };
  for (const { id, text } of ids) {
    assert.equal(fromPublicId(text, prefix, encrypt, bits), BigInt(id));
    assert.equal(fromPublicId(text.toLowerCase(), prefix, encrypt, bits), BigInt(id));
  }
  for (const text of noTexts) {
    assert.throws(() => fromPublicId(text, prefix, encrypt, bits), RangeError, text);
  }
}

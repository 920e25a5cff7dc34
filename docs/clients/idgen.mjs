// Decodes ids of idgen, in browsers and in Node. Ids are BigInt: a number above 2^53 would be rounded.
// Throws a RangeError for what is no id.

const MAX_ID = 2n ** 63n - 1n;
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const FORMS = { // form: alphabet and number of characters
  hex: ['0123456789ABCDEF', 16],
  base32: [CROCKFORD, 13],
  base32Checked: [CROCKFORD, 13], // and a check character
  base62: ['0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', 11],
};

/** The default layout: ticks since the epoch, both in milliseconds. */
export const IDGEN = {
  epochMillis: 1704067200000, tickMillis: 1,
  timeBits: 41, datacenterBits: 5, workerBits: 5, sequenceBits: 12, sequenceAboveWorker: false,
};

const bitsAt = (id, shift, width) => Number((id >> BigInt(shift)) & ((1n << BigInt(width)) - 1n));

/** Returns the parts of an id: millis (since 1970), datacenter, worker, sequence. */
export function decode(id, layout = IDGEN) {
  const workers = layout.datacenterBits + layout.workerBits;
  const belowTime = workers + layout.sequenceBits;
  if (id < 0n || id >> BigInt(layout.timeBits + belowTime)) {
    throw new RangeError(`${id} is no id of this layout`);
  }
  const [workerShift, sequenceShift] = layout.sequenceAboveWorker ? [0, workers] : [layout.sequenceBits, 0];
  return {
    millis: layout.epochMillis + Number(id >> BigInt(belowTime)) * layout.tickMillis,
    datacenter: bitsAt(id, workerShift + layout.workerBits, layout.datacenterBits),
    worker: bitsAt(id, workerShift, layout.workerBits),
    sequence: bitsAt(id, sequenceShift, layout.sequenceBits),
  };
}

/** Returns the id that a text stands for; the form is hex, base32, base32Checked or base62. */
export function fromText(text, form) {
  const [alphabet, length] = FORMS[form];
  let written = form === 'base62' ? text : text.replace(/[a-z]/g, (c) => c.toUpperCase());
  if (form.startsWith('base32')) {
    written = written.replace(/O/g, '0').replace(/[IL]/g, '1');
  }
  const digits = [...written.slice(0, length)].map((c) => alphabet.indexOf(c));
  const id = digits.reduce((sum, digit) => sum * BigInt(alphabet.length) + BigInt(digit), 0n);
  const known = digits.length === length && !digits.includes(-1) && id <= MAX_ID;
  const check = known && form === 'base32Checked' ? `${CROCKFORD}*~$=U`[Number(id % 37n)] : '';
  if (!known || written.slice(length) !== check) {
    throw new RangeError(`'${text}' is no id in ${form}`);
  }
  return id;
}

/**
 * Returns the id behind a public id. For servers only: it needs the secret key. The functions encrypt one block of 16
 * bytes with AES and the key of their version, in Node
 *   { 1: (block) => createCipheriv('aes-256-ecb', key, null).update(block) }
 * The bits are 63 or 53, as the permutation has.
 */
export function fromPublicId(text, prefix, encryptByVersion, bits = 63) {
  const end = text.lastIndexOf('_');
  const begin = text.slice(0, end).replace(/[A-Z]/g, (c) => c.toLowerCase());
  const version = Object.keys(encryptByVersion).find((v) => begin === `${prefix ? `${prefix}_` : ''}k${v}`);
  let id = version && fromText(text.slice(end + 1), 'base32');
  if (!version || id >> BigInt(bits)) {
    throw new RangeError(`'${text}' has another prefix, the version of an unknown key, or more than ${bits} bits`);
  }
  const half = BigInt((bits + 1) / 2);
  const mask = (1n << half) - 1n;
  do { // the network covers one bit more than an id of 63 or 53 bits has: repeat until the result is an id
    let [left, right] = [id >> half, id & mask];
    for (let round = 9; round >= 0; round--) {
      const block = new DataView(new ArrayBuffer(16));
      block.setUint8(0, bits);
      block.setUint8(1, round);
      block.setBigUint64(8, left);
      const mixed = encryptByVersion[version](new Uint8Array(block.buffer));
      const first = new DataView(mixed.buffer, mixed.byteOffset).getBigUint64(0) & mask;
      [left, right] = [right ^ first, left];
    }
    id = (left << half) | right;
  } while (id >> BigInt(bits));
  return id;
}

// Compiles only if the types of idgen.mjs keep an id a bigint.
import { decode, fromPublicId, fromText, IDGEN, Parts } from '../idgen.mjs';

const id: bigint = fromText('0AK9F6YCG000A', 'base32');
const parts: Parts = decode(id, { ...IDGEN, sequenceAboveWorker: false });
export const time: Date = new Date(parts.millis);
export const order: bigint = fromPublicId('order_k1_5WESWYE4HHVYW', 'order', { 1: (block) => block });
// @ts-expect-error a number above 2^53 is rounded
decode(382324861541810186);
// @ts-expect-error there is no such form
fromText('0AK9F6YCG000A', 'base36');

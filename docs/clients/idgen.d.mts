// The types of idgen.mjs.

export interface Layout {
  epochMillis: number;
  tickMillis: number;
  timeBits: number;
  datacenterBits: number;
  workerBits: number;
  sequenceBits: number;
  sequenceAboveWorker: boolean;
}

export interface Parts {
  /** Since 1970. */
  millis: number;
  datacenter: number;
  worker: number;
  sequence: number;
}

export type Form = 'hex' | 'base32' | 'base32Checked' | 'base62';

export declare const IDGEN: Layout;
export declare function decode(id: bigint, layout?: Layout): Parts;
export declare function fromText(text: string, form: Form): bigint;
export declare function fromPublicId(
  text: string,
  prefix: string,
  encryptByVersion: Record<number, (block: Uint8Array) => Uint8Array>,
  bits?: 63 | 53,
): bigint;

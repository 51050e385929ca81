// The SHA-256 of a file (FIPS 180-4), read in slices: crypto.subtle takes a file whole, and pages over plain HTTP have none.
const rounds = new Int32Array(64);
const first = new Int32Array(8);

// The constants: the fractional parts of the cube and square roots of the first primes, 32 bits of each.
for (let candidate = 2, count = 0; count < 64; candidate += 1) {
  let isPrime = true;
  for (let factor = 2; factor * factor <= candidate; factor += 1) if (candidate % factor === 0) isPrime = false;
  if (!isPrime) continue;
  rounds[count] = Math.cbrt(candidate) % 1 * 2 ** 32;
  if (count < 8) first[count] = Math.sqrt(candidate) % 1 * 2 ** 32;
  count += 1;
}

const words = new Int32Array(64);

/** Takes the whole blocks of 64 bytes of `view` into `state`. */
function take(state, view) {
  for (let at = 0; at < view.byteLength; at += 64) {
    for (let index = 0; index < 16; index += 1) words[index] = view.getInt32(at + 4 * index);
    for (let index = 16; index < 64; index += 1) {
      const x = words[index - 15];
      const y = words[index - 2];
      const low = (x >>> 7 | x << 25) ^ (x >>> 18 | x << 14) ^ x >>> 3;
      const high = (y >>> 17 | y << 15) ^ (y >>> 19 | y << 13) ^ y >>> 10;
      words[index] = words[index - 16] + low + words[index - 7] + high | 0;
    }
    let a = state[0], b = state[1], c = state[2], d = state[3], e = state[4], f = state[5], g = state[6], h = state[7];
    for (let index = 0; index < 64; index += 1) {
      const one = h + ((e >>> 6 | e << 26) ^ (e >>> 11 | e << 21) ^ (e >>> 25 | e << 7) | 0) + (e & f ^ ~e & g) + rounds[index] + words[index] | 0;
      const two = ((a >>> 2 | a << 30) ^ (a >>> 13 | a << 19) ^ (a >>> 22 | a << 10)) + (a & b ^ a & c ^ b & c) | 0;
      h = g; g = f; f = e; e = d + one | 0; d = c; c = b; b = a; a = one + two | 0;
    }
    state[0] += a; state[1] += b; state[2] += c; state[3] += d; state[4] += e; state[5] += f; state[6] += g; state[7] += h;
  }
}

// A slice takes a few milliseconds: the page stays at hand in between.
const sliceSize = 1 << 20;

/**
 * The SHA-256 of a file, as the coordinator writes digests: `sha256:` and 64 hex digits.
 * @param onProgress called with the share that was read, 0 to 1.
 * @throws AbortError once `signal` says so; NotReadableError when the file went away.
 */
export async function digestOf(file, signal, onProgress) {
  const state = first.slice();
  const whole = file.size - file.size % 64;
  for (let at = 0; at < whole; at += sliceSize) {
    signal.throwIfAborted();
    take(state, new DataView(await file.slice(at, Math.min(whole, at + sliceSize)).arrayBuffer()));
    onProgress(at / file.size);
  }
  const rest = new Uint8Array(await file.slice(whole).arrayBuffer());
  const end = new DataView(new ArrayBuffer(rest.length < 56 ? 64 : 128));
  new Uint8Array(end.buffer).set(rest);
  end.setUint8(rest.length, 0x80);
  end.setBigUint64(end.byteLength - 8, BigInt(file.size) * 8n);
  take(state, end);
  return `sha256:${[...state].map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("")}`;
}

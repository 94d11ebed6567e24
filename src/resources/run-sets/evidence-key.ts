import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import type { SecretBox } from '../../runtime/secrets.ts';

export const SIGNATURE_ALGORITHM = 'Ed25519' as const;

/** DER of a private key of Ed25519 up to its 32 bytes (RFC 8410). */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Key of the store that signs evidence. */
export interface EvidenceKey {
  /** Public key: DER of its SubjectPublicKeyInfo, in Base64. */
  publicKey: string;
  /** SHA-256 of that DER, in hex. */
  fingerprint: string;
  /** Returns a signature in Base64. */
  sign: (bytes: Uint8Array) => string;
}

/** Derives the key of the store: the same secret key always gives the same one. */
export function evidenceKeyOf(box: Pick<SecretBox, 'derive'>): EvidenceKey {
  const der = Buffer.concat([PRIVATE_PREFIX, box.derive('evidence key')]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const shown = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return {
    publicKey: shown.toString('base64'),
    fingerprint: fingerprintOf(shown),
    sign: (bytes) => sign(null, bytes, key).toString('base64'),
  };
}

const fingerprintOf = (der: Uint8Array): string => createHash('sha256').update(der).digest('hex');

/** Checks a signature with a public key; returns the fingerprint of the key, or null for a wrong signature or key. */
export function signerOf(bytes: Uint8Array, publicKey: string, signature: string): string | null {
  const der = Buffer.from(publicKey, 'base64');
  let key: KeyObject;
  try {
    key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  } catch {
    return null;
  }
  if (key.asymmetricKeyType !== 'ed25519') return null;
  return verify(null, bytes, key, Buffer.from(signature, 'base64')) ? fingerprintOf(der) : null;
}

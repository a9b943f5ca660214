export {
  generateKey,
  loadPrivateKey,
  loadPublicKey,
  type PrivateKey,
  type PublicKey,
  type SignatureAlgorithm,
} from './keys.ts';
export { signRoot } from './sign.ts';
export { judgeSignatures, readSignatures } from './verify.ts';

import { sizeWords } from '../../lib/command.ts';
import type { PullResult, PushResult } from '../../lib/index.ts';
import { count, plain } from '../io.ts';
import type { Style } from './style.ts';

/** Describes a push for a person. */
export function pushView(result: PushResult, style: Style): string[] {
  const { reference, name, version, signatures, attestations, names, moved, movedBytes, present } = result;
  const sent = `${count(moved, 'content')} sent (${sizeWords(movedBytes)}), ${present} there before`;
  return [
    `${moved > 0 ? style.good('pushed') : style.good('already there')} ${style.bold(`${plain(name)} ${plain(version)}`)}`,
    `  ${plain(reference)}`,
    `  ${sent}; ${count(signatures, 'signature')}, ${count(attestations, 'signed attestation')}`,
    ...names.map(({ reference: own }) => `  ${plain(own)}`),
  ];
}

/** Describes a pull for a person. */
export function pullView(result: PullResult, style: Style): string[] {
  const { path, name, version, root, size, signatures, moved, movedBytes, present } = result;
  const kept = present > 0 ? `, ${present} from an earlier run` : '';
  return [
    `${style.good('pulled')} ${style.bold(`${plain(name)} ${plain(version)}`)}  ${plain(path)}  ${sizeWords(size)}`,
    `  root ${root}`,
    `  ${count(moved, 'content')} fetched (${sizeWords(movedBytes)})${kept}; ${count(signatures, 'signature')}, not judged: "solpack verify --key" does`,
  ];
}

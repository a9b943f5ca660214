import { plain } from '../io.ts';
import type { JsonResults } from './json.ts';
import { type Style, table } from './style.ts';

type Mirror = JsonResults['status-mirrors']['mirrors'][number];

/** Describes for a person from where a node pulls now. */
export function joinView({ servers, written, unchanged }: JsonResults['join-mirror'], style: Style): string[] {
  return [
    ...table(
      servers.map(({ url, serves }) => [
        plain(url),
        serves === null
          ? style.bad('does not answer')
          : `has images of ${serves.map(plain).join(', ') || 'no registry'}`,
      ]),
    ),
    ...written.map((path) => `${style.good('wrote')} ${plain(path)}`),
    ...unchanged.map((path) => `unchanged ${plain(path)}`),
  ];
}

/** Describes for a person what was undone. */
export function leaveView({ hostsDir, removed, kept }: JsonResults['leave-mirror'], style: Style): string[] {
  const lines = [
    ...removed.map((path) => `${style.good('removed')} ${plain(path)}`),
    ...kept.map((path) => `kept ${plain(path)}: an install needs it too`),
  ];
  return lines.length > 0 ? lines : [`nothing below ${plain(hostsDir)} was joined`];
}

/** Describes for a person how a node pulls. */
export function nodeMirrorsView({ hostsDir, mirrors }: JsonResults['status-mirrors'], style: Style): string[] {
  if (mirrors.length === 0) return [`solpack has written no mirror below ${plain(hostsDir)}`];
  return [style.bold(`mirrors of this node, below ${plain(hostsDir)}`), ...mirrorLines(mirrors, style)];
}

/** Describes mirrors, one a line, with why they are not ready. */
export function mirrorLines(mirrors: readonly Mirror[], style: Style): string[] {
  return table(
    mirrors.map(({ registry, state, reason, servers }) => [
      `  ${plain(registry)}`,
      state === 'ready' ? style.good(state) : style.bad(state),
      plain(reason ?? servers.map(({ url }) => url).join(', ')),
    ]),
  );
}

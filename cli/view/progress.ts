import type { SettledRun } from '../../lib/index.ts';
import { plain } from '../io.ts';
import type { Style } from './style.ts';

/** Describes how an install ended for a person. */
export function progressView({ progress, wasSilent }: SettledRun, style: Style): string[] {
  const { state, runner, reason, components } = progress;
  const shown = state === 'ready' ? style.good(state) : style.bad(state);
  return [
    `${shown} ${plain(runner)}${reason === undefined ? '' : `  ${plain(reason)}`}`,
    ...components.map((one) => {
      const words = `  ${one.state} ${one.solution} ${one.version}, ${one.component}`;
      return plain(one.reason === undefined ? words : `${words}: ${one.reason}`);
    }),
    ...(wasSilent ? ['its end was recorded now'] : []),
  ];
}

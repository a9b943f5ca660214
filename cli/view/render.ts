import type { OnEvent } from '../../lib/events.ts';
import type { RenderResult } from '../../lib/render/index.ts';
import { renderedText } from '../../lib/render/text.ts';

/** Prints rendered objects as YAML documents, or the files that have them. */
export function renderView(result: RenderResult): string[] {
  if (result.files.length > 0) return [...result.files];
  const text = renderedText(result);
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

/** Tells what is not among the objects, and what these ask for in vain. */
export function tellRendered({ unproved, missing }: RenderResult, onEvent: OnEvent): void {
  for (const subject of unproved) {
    onEvent({ type: 'notice', subject: `component ${subject}`, message: 'is left out: only the node can render it' });
  }
  for (const { image, component } of missing) {
    onEvent({
      type: 'notice',
      subject: `component ${component}`,
      message: `uses ${image}, which the Solution does not hold`,
    });
  }
}

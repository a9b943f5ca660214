import type { OnEvent, RenderResult } from '../../lib/index.ts';

/** Prints rendered objects as `text`, which holds YAML documents, or names the files that have them. */
export function renderView({ files }: RenderResult, text: string): string[] {
  return files.length > 0 ? [...files] : documentLines(text);
}

/** Returns the lines of a text that holds YAML documents. */
export function documentLines(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

/** Reports what is not among the objects, and what these ask for in vain. */
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

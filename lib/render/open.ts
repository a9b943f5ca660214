import type { Archive } from '../archives/index.ts';
import type { Flow } from '../flow.ts';
import { type InputsRequest, prepare } from '../pack/prepare.ts';
import { renderableInputs } from '../pack/renderable.ts';
import type { Renderable } from '../rendering/renderable.ts';
import { renderableArchive } from '../rendering/renderable-archive.ts';
import type { ArchivePlace } from '../solutions/media/index.ts';
import { openMedium } from '../solutions/open-medium.ts';

/** A Solution to render: a definition, or an archive. */
export type SolutionInput = { readonly definition: InputsRequest } | { readonly archive: ArchivePlace };

/** A Solution that can be rendered until it is closed. */
export interface OpenedSolution extends AsyncDisposable {
  readonly solution: Renderable;
}

/**
 * Opens a Solution, without asking who made it. Throws what `prepare` throws of a definition, and what opening throws of an
 * archive.
 */
export async function openInput(input: SolutionInput, flow: Flow): Promise<OpenedSolution> {
  if ('archive' in input) {
    const archive: Archive = await openMedium(input.archive, flow);
    return { solution: renderableArchive(archive), [Symbol.asyncDispose]: () => archive[Symbol.asyncDispose]() };
  }
  const { definition } = input;
  const prepared = await prepare(definition, flow);
  return {
    solution: renderableInputs(definition.definition, prepared.inputs, prepared.content),
    [Symbol.asyncDispose]: () => prepared[Symbol.asyncDispose](),
  };
}

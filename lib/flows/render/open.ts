import type { Flow } from '../../kernel/events/index.ts';
import type { Archive } from '../../parts/archives/index.ts';
import { ruleFor, type Trust } from '../../parts/trust/index.ts';
import { mayRunPrograms, programsOf, type Renderable, renderableArchive } from '../../shared/rendering/index.ts';
import { type ArchivePlace, openMedium } from '../../shared/solutions/media/index.ts';
import { requireTrusted } from '../../shared/solutions/trusted/index.ts';
import { type InputsRequest, prepare, renderableInputs } from '../pack/index.ts';

/** A Solution to render: a definition, or an archive. */
export type SolutionInput =
  | { readonly definition: InputsRequest }
  /** Without whom to trust, nobody is asked who made the archive, and none of its programs is run. */
  | { readonly archive: ArchivePlace; readonly trust?: Trust | undefined };

/** A Solution that can be rendered until it is closed. */
export interface OpenedSolution extends AsyncDisposable {
  readonly solution: Renderable;
}

/**
 * Opens a Solution. Throws what `prepare` throws of a definition, and what opening throws of an archive; `not-trusted`
 * where it was said whom to trust.
 */
export async function openInput(input: SolutionInput, flow: Flow): Promise<OpenedSolution> {
  if ('archive' in input) {
    const archive: Archive = await openMedium(input.archive, flow);
    try {
      const refusal = await refusalOf(archive, input.trust);
      const solution = { ...renderableArchive(archive), programs: programsOf(archive, refusal) };
      return { solution, [Symbol.asyncDispose]: () => archive[Symbol.asyncDispose]() };
    } catch (error) {
      await archive[Symbol.asyncDispose]();
      throw error;
    }
  }
  const { definition } = input;
  const prepared = await prepare(definition, flow);
  return {
    solution: renderableInputs(definition.definition, prepared.inputs, prepared.content),
    [Symbol.asyncDispose]: () => prepared[Symbol.asyncDispose](),
  };
}

/** Why programs of an archive are not run; undefined where they are. Throws `not-trusted`. */
async function refusalOf(archive: Archive, trust: Trust | undefined): Promise<string | undefined> {
  if (trust === undefined)
    return 'neither a key nor a policy says whom to trust: give --key or --policy, if the command has them';
  await requireTrusted(archive, trust);
  return mayRunPrograms(ruleFor(trust.policy, archive.catalog.metadata.name)?.allow);
}

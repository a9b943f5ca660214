import type { Command } from 'commander';
import { OUTPUT, REGISTRY } from '../option-groups.ts';
import type { Term } from './notes.ts';
import { type HelpPage, pageOf, type Section } from './page.ts';
import { helpText } from './text.ts';
import { trustTerms } from './trust-terms.ts';

/** In how many commands an option stands that is reported once for all of them. */
const MANY = 10;

const ENVIRONMENT = 'Environment:';

/** What is reported once: groups of options, and the variables that go with them. */
const groups = [REGISTRY, OUTPUT, ENVIRONMENT];

/** Sets the page of `solpack help options` for a terminal of `columns` columns. */
export function sharedOptionsText(program: Command, columns: number): string {
  const page: HelpPage = {
    name: `${program.name()} help options`,
    summary: '',
    usage: `${program.name()} COMMAND [options]`,
    description:
      'Options that many commands take, and the variables for them. The help of a command names those that it takes.',
    sections: [{ title: 'Trust:', terms: trustTerms }, ...sharedSections(program)],
  };
  return helpText(page, columns);
}

/** A page with the names alone of what `solpack help options` reports. */
export function briefPage(page: HelpPage, program: Command): HelpPage {
  const shared = new Map(sharedSections(program).map(({ title, terms }) => [title, new Set(terms.map(keyOf))]));
  const isShared = (title: string, term: Term): boolean => shared.get(title)?.has(keyOf(term)) === true;
  const named = page.sections.flatMap((section): Term[] => {
    if (!('terms' in section) || section.title === ENVIRONMENT) return [];
    const terms = section.terms.filter((term) => isShared(section.title, term));
    if (terms.length === 0) return [];
    return [{ term: section.title.replace(':', '').toLowerCase(), text: terms.map(({ term }) => term).join(', ') }];
  });
  const sections = page.sections.flatMap((section): Section[] => {
    if (!('terms' in section)) return [section];
    const terms = section.terms.filter((term) => !isShared(section.title, term));
    return terms.length === 0 ? [] : [{ title: section.title, terms }];
  });
  if (named.length === 0) return page;
  const title = `Options of many commands ("${program.name()} help options" describes them):`;
  const notes = sections.findIndex((section) => !isOptions(section));
  const at = notes < 0 ? sections.length : notes;
  return { ...page, sections: [...sections.slice(0, at), { title, terms: named }, ...sections.slice(at)] };
}

/** Whether a section is of arguments, commands or options, and none of those that come behind them. */
function isOptions(section: Section): boolean {
  return 'terms' in section && section.title !== ENVIRONMENT;
}

/** What many commands have alike, by the titles under which they have it. */
function sharedSections(program: Command): { readonly title: string; readonly terms: readonly Term[] }[] {
  const numbers = new Map<string, number>();
  const terms = new Map<string, Map<string, Term>>(groups.map((title) => [title, new Map()]));
  for (const command of program.commands) {
    for (const section of pageOf(command, command.createHelp()).sections) {
      const known = terms.get(section.title);
      if (known === undefined || !('terms' in section)) continue;
      for (const term of section.terms) {
        known.set(keyOf(term), term);
        numbers.set(keyOf(term), (numbers.get(keyOf(term)) ?? 0) + 1);
      }
    }
  }
  return groups.map((title) => ({
    title,
    terms: [...terms.get(title)!].flatMap(([key, term]) => (numbers.get(key)! >= MANY ? [term] : [])),
  }));
}

function keyOf({ term, text }: Term): string {
  return `${term}\n${text}`;
}

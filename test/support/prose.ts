import { proseOf } from './docs.ts';

/** Turns of phrase that make a reader stop, each with what to write instead; found by reading the pages. */
const turns: readonly (readonly [RegExp, string])[] = [
  [/\b(?:is|are) told\b/i, 'prints, reports, or says'],
  [/\btells? of\b/i, 'describes, or reports'],
  [/\btells? (?:what|which|where|whether|how|who|why)\b/i, 'says, shows, or describes'],
  [/\b(?:which|that|this|it) tells\b/i, 'says, or shows'],
  [/\b(?:is|are|that is|was) over\b/i, 'has ended, or recovered'],
  [/\bnobody knows\b/i, 'is unknown'],
  [/\b(?:goes|go|gone) on with\b/i, 'continues with'],
  [/\bgoes on in spite of\b/i, 'continues anyway'],
  [/\bwhat is so\b/i, 'what already holds, named'],
  [/\bwhat (?:was )?only the version\b/i, 'objects that only the previous version had'],
  [
    /\bthe (?:version|versions|generation|one|ones) before\b(?! (?:it|that|the|this|anything)\b)/i,
    'the previous version',
  ],
  [/\bin the way of\b/i, 'prevents'],
  [/\bat hand\b/i, 'available'],
  [/\bby the side of\b/i, 'beside, or together with'],
  [/\bbrings? about\b/i, 'causes, or the effect of'],
  [/\bnot to be found\b/i, 'missing'],
  [/(?<!\b(?:a|the) )\bmends? (?:it|this|that|them|each)\b/i, 'fixes'],
  [/\bwhoever (?:looks|installs|runs|wants)\b/i, 'the person or program, named'],
  [/\bthere (?:is|are) of (?:it|them)\b/i, 'which ones exist'],
  [/\bis there still\b|\bare there still\b/i, 'still exists'],
  [/\bhas the whole\b/i, 'see PAGE'],
  [/(?<!\bwas )\btold\b/i, 'printed, reported, or known'],
  [/\bg(?:o|oes|oing|one) on\b(?! (?:the|an?)\b)/i, 'continues'],
  [/[,;] else\b/i, 'otherwise'],
  [/\bbut for\b/i, 'except'],
  [/, since (?!\d|when|version|then)/i, 'because'],
  [/\botherwise than\b/i, 'differently from'],
  [/\bas ever\b/i, 'as before'],
  [/\b(?:to|can|be) be had\b/i, 'available'],
  [/\bcomes? along\b/i, 'is also packed, or also installed'],
  [/\bsays? of (?:it|them)(?:self|selves)\b/i, 'says about itself'],
  [/\basks? for what\b/i, 'requires'],
  [/\bwhat comes\b/i, 'input, or answers'],
  [/\bin (?:its|their) stead\b/i, 'instead'],
  [/(?:^|[.] )Of [^,.]{1,60} (?:nobody|nothing)\b/, 'subject first'],
  [/\bshall\b/i, 'has to, or should'],
  [/\bthat is for\b.{1,40}\bto say\b/i, 'the one who decides, as the subject'],
];

/** Each turn of phrase in a text that should be written another way, with its line and the proposal. */
export function hardToRead(text: string): string[] {
  return proseOf(text)
    .split('\n\n')
    .map((paragraph) => paragraph.replaceAll('\n', ' '))
    .flatMap((paragraph) =>
      turns.flatMap(([turn, instead]) => {
        const found = turn.exec(paragraph);
        return found === null ? [] : [`"${around(paragraph, found.index)}": write "${instead}"`];
      }),
    );
}

function around(paragraph: string, at: number): string {
  return paragraph.slice(Math.max(0, at - 30), at + 40).trim();
}

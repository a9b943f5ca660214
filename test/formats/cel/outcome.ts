import { compileCel } from '../../../formats/cel/compile.ts';
import { judgeCel } from '../../../formats/cel/judge.ts';
import { FormatError } from '../../../formats/error.ts';
import { judgedObject } from './table.ts';

/** What becomes of an expression, in the words of the table. */
export function outcomeHere(expression: string): boolean | 'error' | 'refused' {
  try {
    const { holds, failure } = judgeCel(compileCel(expression), judgedObject);
    return failure === undefined ? holds : 'error';
  } catch (error) {
    if (error instanceof FormatError) return 'refused';
    throw error;
  }
}

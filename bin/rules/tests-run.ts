import type { Rule } from './codebase.ts'

const marks = /\b(?:test|it|describe)(?:\.\w+)*\.(only|skip|todo|fixme|fails)\b/

/** A test that does not run proves nothing. `skipIf` names its condition and is shown as skipped. */
export const testsRun: Rule = {
  name: 'every test runs',
  find: ({ sources }) =>
    sources
      .filter(({ path }) => /\.(test|suite|e2e)\.tsx?$/.test(path) && !path.startsWith('bin/'))
      .flatMap(({ path, text }) =>
        text.split('\n').flatMap((line, at) => {
          const mark = marks.exec(line)?.[1]
          return mark ? [`${path}:${at + 1} says .${mark}: make it run, or take it out`] : []
        }),
      ),
}

import { type Codebase, isTest, type Rule } from './codebase.ts'

const limits = (path: string) => (isTest(path) ? { aim: 500, most: 600 } : { aim: 300, most: 400 })
const lines = (text: string) => text.split('\n').length - 1

/** Files stay small enough to read at a sitting. */
export const sizes: Rule = {
  name: 'files are small',
  find: ({ sources }) =>
    sources
      .filter(({ path, text }) => lines(text) > limits(path).most)
      .map(
        ({ path, text }) =>
          `${path} has ${lines(text)} lines, more than ${limits(path).most}: split it by subject`,
      ),
}

/** Those above the target but below the limit: reported, not refused. */
export const large = ({ sources }: Codebase): string[] =>
  sources
    .filter(({ path, text }) => lines(text) > limits(path).aim && lines(text) <= limits(path).most)
    .map(({ path, text }) => `${path} has ${lines(text)} lines; the aim is ${limits(path).aim}`)

import { type Rule, type Source, workspaces } from './codebase.ts'

/** Files of one role export its name; who imports two of them renames one. */
const ROLES = ['routes', 'live', 'reacts', 'jobs', 'features', 'test']
/** `export const name`, `export async function name`, `export interface Name`: a value and a type of one file are one name. */
const EXPORTED = /^export (?:async )?(?:function\*?|const|let|class|interface|type) (\w+)/gm

/**
 * A name means one thing: two files that one file could import do not export the same one. Allowed are a feature's own
 * name and those of roles.
 */
export const oneMeaning: Rule = {
  name: 'an exported name means one thing',
  find({ sources }) {
    const shared = new Set(ROLES)
    for (const { path } of sources) {
      const feature = /\/features\/(\w+)\//.exec(path)?.[1]
      if (feature) shared.add(feature)
    }
    return programs.flatMap(program =>
      twice(
        sources.filter(({ path }) => program.test(path)),
        shared,
      ),
    )
  },
}

/** Parts that can import each other. The contract belongs to both sides. */
const programs = [
  /^(packages\/contract|apps\/server)\//,
  /^(packages\/contract|apps\/web)\//,
  ...workspaces.filter(folder => folder.startsWith('testing/')).map(folder => new RegExp(`^${folder}/`)),
  /^e2e\//,
  /^bench\//,
  /^bin\//,
]

function twice(sources: Source[], shared: Set<string>): string[] {
  const places = new Map<string, Set<string>>()
  for (const { path, text } of sources)
    for (const [, name = ''] of text.matchAll(EXPORTED))
      places.set(name, (places.get(name) ?? new Set()).add(path))
  return [...places]
    .filter(([name, paths]) => paths.size > 1 && !shared.has(name))
    .map(([name, paths]) => `${name} is exported by ${[...paths].join(' and ')}: name each after what it is`)
}

/**
 * What of the repository a release holds: the product with its sources, which its licence asks for, its documents, and
 * what installs it. Not its tests and tools.
 */
const HELD = [
  /^(package|package-lock|tsconfig(\.base)?)\.json$/,
  /^(\.npmrc|\.nvmrc|\.dockerignore|Dockerfile|compose\.yaml|LICENSE|[A-Z]+\.md)$/,
  /^(deploy|docs)\//,
  /^bin\/prepare(\.js$|\/)/,
  /^apps\/(server|web)\/(?!testing\/)/,
  /^packages\/contract\//,
  // npm reads the manifest of each workspace
  /^testing\/[^/]+\/package\.json$/,
]
const isTest = (path: string) => /\.test\.tsx?$/.test(path)

export const isHeld = (path: string): boolean => HELD.some(held => held.test(path)) && !isTest(path)

/** What the changelog says of a version; null where it does not name it. */
export function notesOf(changelog: string, version: string): string | null {
  const parts = changelog.split(/^## /m).slice(1)
  const part = parts.find(one => one.split(/\s/, 1)[0] === version)
  return part === undefined ? null : part.slice(part.indexOf('\n')).trim()
}

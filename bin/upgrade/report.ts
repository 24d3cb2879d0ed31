import { relative } from 'node:path'

export interface Suite {
  file: string
  /** The titles of its tests that failed; that of the file where it could not be loaded. */
  failed: string[]
}

interface Report {
  testResults: {
    name: string
    status: string
    assertionResults: { title: string; status: string }[]
  }[]
}

/** The suites of a report of vitest (`--reporter=json`). */
export function failuresIn(report: string, root: string): Suite[] {
  const { testResults } = JSON.parse(report) as Report
  return testResults.map(({ name, status, assertionResults }) => {
    const file = relative(root, name).replaceAll('\\', '/')
    const failed = assertionResults.filter(one => one.status === 'failed').map(({ title }) => title)
    return { file, failed: status === 'failed' && failed.length === 0 ? ['could not be loaded'] : failed }
  })
}

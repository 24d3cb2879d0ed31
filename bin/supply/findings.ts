/** What is allowed although it is found: until a day, with a reason. */
export interface Exception {
  /** The address of an advisory, or the name of a package whose licence is not readable. */
  of: string
  why: string
  /** The last day, such as 2027-03-31. */
  until: string
}

/** What is read of `npm audit --json`. */
export interface Audit {
  vulnerabilities: Record<string, { via: (string | { url: string; title: string; severity: string })[] }>
}

/** What is read of package-lock.json. */
export interface Lock {
  packages: Record<string, { license?: string; dev?: boolean; link?: boolean }>
}

const SEVERE = ['high', 'critical']

/** Severe advisories without an exception that is still valid; one line each. */
export function advisoriesIn({ vulnerabilities }: Audit, exceptions: Exception[], today: string): string[] {
  const lines = Object.entries(vulnerabilities).flatMap(([name, { via }]) =>
    via
      .filter(one => typeof one !== 'string')
      .filter(({ url, severity }) => SEVERE.includes(severity) && !isExcused(exceptions, url, today))
      .map(({ url, title, severity }) => `${name}: ${title} (${severity}, ${url})`),
  )
  return [...new Set(lines)]
}

/** Licences whose code may be part of a work under the AGPL 3 (https://www.gnu.org/licenses/license-list.html). */
const FITTING =
  /^(MIT|MIT-0|0BSD|ISC|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0|CC0-1\.0|Unlicense|Zlib|Python-2\.0|OFL-1\.1|MPL-2\.0|(L|A)?GPL-3\.0(-only|-or-later)?|LGPL-2\.1(-or-later)?)$/

/** Packages of the product, not of its development, whose licence does not fit. */
export function licencesIn({ packages }: Lock, exceptions: Exception[], today: string): string[] {
  return Object.entries(packages)
    .filter(([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link)
    .map(([path, { license = 'no licence named' }]) => ({
      name: path.split('node_modules/').at(-1)!,
      license,
    }))
    .filter(({ name, license }) => !fits(license) && !isExcused(exceptions, name, today))
    .map(({ name, license }) => `${name}: ${license}`)
}

/** `(MIT OR GPL-2.0)` fits by one of them, `MIT AND ISC` by both. */
const fits = (license: string) =>
  license
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some(one => one.split(' AND ').every(part => FITTING.test(part)))

const isExcused = (exceptions: Exception[], name: string, today: string) =>
  exceptions.some(({ of, until }) => of === name && until >= today)

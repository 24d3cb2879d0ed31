import { isTest, type Rule, type Source } from './codebase.ts'

/** Imports forbidden between the parts of the project. */
const walls: { from: RegExp; to: RegExp; why: string; except?: (path: string) => boolean }[] = [
  {
    from: /^packages\/contract\//,
    to: /^(?!packages\/contract\/)/,
    why: 'the contract is pure: move what it needs into the contract',
  },
  {
    from: /^apps\/web\//,
    to: /^apps\/server\//,
    why: 'the web app never sees the server: what both need is said in the contract',
  },
  { from: /^apps\/server\//, to: /^apps\/web\//, why: 'the server never sees the web app' },
  {
    from: /^(apps|packages)\//,
    to: /^((apps\/[^/]+\/)?testing|e2e|bench)\//,
    except: isTest,
    why: 'what is only for tests never reaches the product',
  },
  {
    from: /^apps\/server\/src\/platform\//,
    to: /^apps\/server\/src\/(features|channels|payments|seed)\//,
    except: isTest,
    why: 'the platform knows no feature: the feature tells its routes, pushes and jobs in its index.ts',
  },
  {
    from: /^apps\/server\/src\/features\//,
    to: /^apps\/server\/src\/channels\//,
    except: isTest,
    why: 'channels stand above the features: what both speak of stands in driver.ts',
  },
  {
    from: /^apps\/server\/src\/channels\//,
    to: /^apps\/server\/src\/features\/[^/]+\/[^/]+\.table\.ts$/,
    except: isTest,
    why: 'channels hold no SQL: ask the queries of the feature',
  },
  {
    from: /^apps\/server\/src\/payments\//,
    to: /^apps\/server\/src\/(features|channels|seed)\//,
    except: isTest,
    why: 'payment providers know no feature: the feature that charges asks them, in the words of payments.ts',
  },
  {
    from: /^apps\/web\/src\/(platform|ui|theme)\//,
    to: /^apps\/web\/src\/(features|shell)\//,
    except: isTest,
    why: 'platform and ui know no feature: pass it in, or move it into the feature',
  },
]

export const moduleBoundaries: Rule = {
  name: 'parts keep apart',
  find: ({ sources }) =>
    sources.flatMap(source => [...breaches(source), ...impure(source), ...ownClock(source)]),
}

function breaches({ path, imports }: Source): string[] {
  return walls
    .filter(({ from, except }) => from.test(path) && !except?.(path))
    .flatMap(({ to, why }) =>
      imports.filter(target => to.test(target)).map(target => `${path} imports ${target}: ${why}`),
    )
}

/** Beside zod, what reckons and has nothing behind it: both sides decide alike what a CPF is, and which number is meant. */
const PURE = /^(zod$|@brazilian-utils\/|libphonenumber-js\/)/

function impure({ path, packages }: Source): string[] {
  if (!path.startsWith('packages/contract/') || isTest(path)) return []
  return packages
    .filter(name => !PURE.test(name))
    .map(name => `${path} imports ${name}: the contract depends on zod alone, and on what reckons as purely`)
}

/** Only it knows in which zone a company reads its clock, and the language of its words. */
const CLOCKS = /^apps\/web\/src\/platform\/(time|text\.test)\.ts$/

const ownClock = ({ path, packages }: Source): string[] =>
  path.startsWith('apps/web/src/') && !CLOCKS.test(path) && packages.includes('dayjs')
    ? [`${path} imports dayjs: times are shown on the company's clock, by platform/time.ts`]
    : []

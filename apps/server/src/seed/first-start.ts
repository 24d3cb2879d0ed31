import { beginSignUp, signUpIsOpen } from '../features/companies/companies.settings.queries.ts'
import { plans } from '../features/companies/companies.table.ts'
import { offeredPlans } from '../features/plans/plans.queries.ts'
import type { Platform } from '../platform/app.ts'
import type { Sql } from '../platform/postgres/db.ts'
import type { PlatformScope } from '../platform/scope.ts'
import { demoAccounts } from './demo.accounts.ts'
import { demoData, demoPeople } from './demo.ts'
import { firstMaster } from './master.ts'

/**
 * What a database needs before anyone can log in; runs at every start and changes nothing the second time. Answers
 * what the operator should know, a line each.
 */
export const firstStart = (platform: Platform) => start(platform, demoData)

/** The same without anything having happened yet: for tests that build their own state. */
export const firstDay = (platform: Platform) => start(platform, demoPeople)

/** Companies are founded on it. It is not offered until the operator does so, except in a demo. */
export const makeStandardPlan = (platform: PlatformScope, isOffered: boolean) =>
  platform.transaction(sql =>
    sql
      .insert(plans)
      .values({
        name: 'Padrão',
        numberAttendants: 10,
        numberConnections: 3,
        isStandard: true,
        status: isOffered,
      })
      .onConflictDoNothing(),
  )

async function start(platform: Platform, demo: (platform: Platform) => Promise<void>): Promise<string[]> {
  const { config } = platform
  const { userCreation } = config
  const platformScope = platform.scopes.platform()
  await makeStandardPlan(platformScope, config.demo || userCreation === 'enabled')
  if (config.demo) await demo(platform)
  if (userCreation) await platformScope.transaction(sql => beginSignUp(sql, userCreation))
  const master = await firstMaster(platformScope, config)
  if (config.demo) return config.masterEmail ? [master] : []
  const isTrial = (await platformScope.transaction(demoAccounts)).some(({ isOpen }) => isOpen)
  return [...(isTrial ? [TRIAL] : []), master, await platformScope.transaction(signUpState)]
}

async function signUpState(sql: Sql): Promise<string> {
  if (!(await signUpIsOpen(sql))) return 'Sign-up is closed.'
  return (await offeredPlans(sql)).length > 0 ? OPEN : NOTHING_OFFERED
}

const NOTHING_OFFERED = 'No plan is offered, so nobody can sign up: a master offers one under /plans.'

const TRIAL =
  'Accounts of the demo are here, with the password that everybody knows: npm run demo -- remove takes them away.'

const OPEN =
  'Sign-up is open: whoever reaches this address can found a company. A master closes it under /settings.'

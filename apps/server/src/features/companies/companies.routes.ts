import { type Branding, brandPictures, companies } from '@balcao/contract/companies.ts'
import { refuse } from '../../platform/errors.ts'
import { serve, serveOpen } from '../../platform/routes.ts'
import type { PlatformScope } from '../../platform/scope.ts'
import { changeCompany, changeSignUp } from './companies.actions.ts'
import { signUpIsOpen } from './companies.queries.ts'

export const routes = [
  serveOpen(companies.branding, async (platform, _input, { platform: { config } }) => ({
    platformName: config.platformName,
    icon: config.platformIcon ? brandPictures.icon : '',
    logoFile: config.logoFile ? brandPictures.logoFile : '',
    primaryColour: config.primaryColor,
    internalChatFlag: config.internalChat,
    hoursToAutoCloseTickets: config.hoursCloseTicketsAuto,
    mapsKey: config.mapsKey,
    userCreation: await userCreation(platform),
    timeZone: config.tzDefault,
    demo: config.demo,
    backendUrl: config.backendUrl,
  })),
  serve(companies.change, (scope, { params, body }) =>
    params.companyId === scope.companyId ? changeCompany(scope, body) : refuse('ERR_NO_COMPANY_FOUND'),
  ),
  serve(companies.settings, async (_scope, _input, { platform: { scopes } }) => [
    { key: 'userCreation' as const, value: await userCreation(scopes.platform()) },
  ]),
  serve(companies.changeSetting, async (_scope, { params, body: { value } }, { platform: { scopes } }) => {
    if (params.settingKey !== 'userCreation') refuse('ERR_NO_SETTING_FOUND')
    await scopes.platform().transaction(sql => changeSignUp(sql, value))
    return { key: 'userCreation' as const, value }
  }),
]

const userCreation = async (platform: PlatformScope): Promise<Branding['userCreation']> =>
  (await platform.transaction(signUpIsOpen)) ? 'enabled' : 'disabled'

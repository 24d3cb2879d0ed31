import { type Branding, brandPictures, companies, logoTypes, Setting } from '@balcao/contract/companies.ts'
import { refuse } from '../../platform/errors.ts'
import type { StoredFile } from '../../platform/files/files.ts'
import { serve, serveOpen } from '../../platform/http/routes.ts'
import type { PlatformScope } from '../../platform/scope.ts'
import { changeCompany } from './companies.actions.ts'
import { findPostalCode } from './companies.postal.client.ts'
import { ownCompany } from './companies.queries.ts'
import { findCnpj } from './companies.register.client.ts'
import { chosenCollector, setSetting, settingNow, settingsNow } from './companies.settings.queries.ts'
import { changeGrace } from './companies.status.actions.ts'

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
    drill: config.drill,
    backendUrl: config.backendUrl,
    passwordLength: config.passwordLength,
    mail: config.smtpUrl !== null,
    payments: (await platform.transaction(sql => chosenCollector(sql, config))) !== null,
    meta:
      config.metaAppId && config.metaConfigId
        ? { appId: config.metaAppId, configId: config.metaConfigId }
        : null,
    marketingUrl: config.marketingUrl ?? '',
    productUrl: config.productUrl ?? '',
  })),
  serve(companies.change, (scope, { params, body, files }) => {
    if (params.companyId !== scope.companyId) return refuse('ERR_NO_COMPANY_FOUND')
    return changeCompany(scope, body, logoAmong(files))
  }),
  serve(companies.show, (scope, { params }) =>
    params.companyId === scope.companyId ? scope.read(ownCompany) : refuse('ERR_NO_COMPANY_FOUND'),
  ),
  serveOpen(companies.findPostalCode, (_scope, { params }, { platform }) =>
    findPostalCode(platform, params.cep),
  ),
  serveOpen(companies.findCnpj, (_scope, { params }, { platform }) => findCnpj(platform, params.cnpj)),
  serve(companies.settings, async (_scope, _input, { platform: { scopes } }) => {
    const now = await scopes.platform().transaction(settingsNow)
    return Object.entries(now).map(([key, { value, isChosen }]) =>
      // the documents show this one as key and value alone
      Setting.parse(key === 'userCreation' ? { key, value } : { key, value, isChosen }),
    )
  }),
  serve(companies.changeSetting, async (_scope, { params, body }, { platform: { scopes, config, log } }) => {
    const setting = settingOf(params.settingKey, body.value)
    if (setting.key !== 'graceDays')
      await scopes.platform().transaction(sql => setSetting(sql, setting.key, setting.value))
    else {
      await changeGrace(scopes.platform(), config.tzDefault, setting.value)
      log.info({ days: setting.value }, 'a master changed the grace of companies that owe')
    }
    return setting
  }),
]

/** Refuses with ERR_NO_SETTING_FOUND, and with ERR_BAD_REQUEST a value that is another setting's. */
function settingOf(key: string, value: string): Setting {
  if (!Setting.options.some(({ shape }) => shape.key.value === key)) return refuse('ERR_NO_SETTING_FOUND')
  const { data } = Setting.safeParse({ key, value })
  return data ?? refuse('ERR_BAD_REQUEST', { field: 'value' })
}

const userCreation = async (platform: PlatformScope): Promise<Branding['userCreation']> =>
  (await platform.transaction(sql => settingNow(sql, 'userCreation'))) === 'disabled' ? 'disabled' : 'enabled'

/** The one file of the form; its type is detected from its content. Refuses with ERR_FILE_TYPE, ERR_BAD_REQUEST. */
function logoAmong([logo, ...more]: StoredFile[]): StoredFile | null {
  if (!logo) return null
  if (more.length > 0) refuse('ERR_BAD_REQUEST', { field: 'media', message: 'One logo at a time' })
  if (!logoTypes.includes(logo.type)) refuse('ERR_FILE_TYPE', { field: 'media' })
  return logo
}

import type { App } from './app.ts'
import type { Callback } from './callback.ts'
import { PhoneNumber, type PhoneNumberOptions } from './phone-number.ts'
import type { State } from './state.ts'
import { Template, type TemplateOptions } from './templates.ts'

export interface AccountOptions {
  name?: string
  /** The portfolio that owns it; business-scoped user ids hold within one. */
  portfolio?: string
  /** The portfolio belongs to a group that receives parent user ids as well. */
  parentUserIds?: boolean
}

/** A WhatsApp Business Account (WABA): numbers and templates of one business. */
export class Account {
  state: State
  id: string
  name: string
  portfolio: string
  parentUserIds: boolean
  /** Subscribed apps, and the address an app named for this account alone. */
  subscribers: Map<App, Callback | undefined> = new Map()
  numbers: PhoneNumber[] = []
  templates: Template[] = []
  /** Meta locked it: nothing is sent. */
  locked = false

  constructor(state: State, { name = 'Padaria Central', portfolio, parentUserIds = false }: AccountOptions) {
    this.state = state
    this.id = state.random.digits(15)
    this.name = name
    this.portfolio = portfolio ?? state.random.digits(15)
    this.parentUserIds = parentUserIds
    state.nodes.set(this.id, this)
  }

  /** A new number, by default verified and registered. Throws when it exists. */
  addNumber(digits: string, options: PhoneNumberOptions = {}): PhoneNumber {
    const taken = [...this.state.nodes.values()].some(
      node => node instanceof PhoneNumber && node.digits === digits,
    )
    if (taken) throw new Error(`the number ${digits} is taken`)
    const number = new PhoneNumber(this, digits, options)
    this.numbers.push(number)
    return number
  }

  /** A new template, by default approved. Throws when the name exists in this language. */
  addTemplate(options: TemplateOptions): Template {
    const template = new Template(this, options)
    const taken = this.templates.some(one => one.name === template.name && one.language === template.language)
    if (taken) throw new Error(`the template ${template.name} is there in ${template.language}`)
    this.templates.push(template)
    return template
  }

  /** Meta sends `account_update`, which may lock the account. */
  update(event: AccountEvent, more: Record<string, unknown> = {}): void {
    if (event === 'ACCOUNT_VIOLATION' || event === 'DISABLED_UPDATE') this.locked = true
    if (event === 'ACCOUNT_RECONNECTED') this.locked = false
    this.tell('account_update', { event, ...more })
  }

  /** Page "account_update webhook reference", DISABLED_UPDATE; a disabled account sends nothing. */
  ban(state: 'SCHEDULE_FOR_DISABLE' | 'DISABLE' | 'REINSTATE', date = 'October 2, 2026'): void {
    if (state !== 'SCHEDULE_FOR_DISABLE') this.locked = state === 'DISABLE'
    const ban_info = { waba_ban_state: state, waba_ban_date: date }
    this.tell('account_update', { event: 'DISABLED_UPDATE', ban_info })
  }

  /** The same page, ACCOUNT_RESTRICTION: what the account may not do, and until when. */
  restrict(restrictions: { restriction_type: string; expiration?: string | number }[]): void {
    this.tell('account_update', { event: 'ACCOUNT_RESTRICTION', restriction_info: restrictions })
  }

  /** Meta warns (`account_alerts`). */
  alert(type: string, description: string, severity: Severity = 'WARNING'): void {
    this.tell('account_alerts', {
      entity_type: 'BUSINESS',
      entity_id: this.portfolio,
      alert_info: {
        alert_severity: severity,
        alert_status: 'ACTIVE',
        alert_type: type,
        alert_description: description,
      },
    })
  }

  /** Sends to every subscriber. */
  tell(field: string, value: object): void {
    this.state.webhooks.raise(this, { field, value })
  }
}

export type Severity = 'CRITICAL' | 'WARNING' | 'INFORMATIONAL'

export type AccountEvent =
  | 'ACCOUNT_DELETED'
  | 'ACCOUNT_OFFBOARDED'
  | 'ACCOUNT_RECONNECTED'
  | 'ACCOUNT_RESTRICTION'
  | 'ACCOUNT_VIOLATION'
  | 'DISABLED_UPDATE'
  | 'PARTNER_REMOVED'

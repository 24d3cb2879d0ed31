import type { App } from './app.ts'
import type { Callback } from './callback.ts'
import { PhoneNumber, type PhoneNumberOptions } from './phone-number.ts'
import { Template, type TemplateOptions } from './templates.ts'
import type { World } from './world.ts'

export interface AccountOptions {
  name?: string
  /** The portfolio that owns it; business-scoped user ids hold within one. */
  portfolio?: string
  /** The portfolio belongs to a group that is told parent user ids as well. */
  parentUserIds?: boolean
}

/** A WhatsApp Business Account (WABA): numbers and templates of one business. */
export class Account {
  world: World
  id: string
  name: string
  portfolio: string
  parentUserIds: boolean
  /** Apps that hear its news, and the address an app named for this account alone. */
  subscribers: Map<App, Callback | undefined> = new Map()
  numbers: PhoneNumber[] = []
  templates: Template[] = []
  /** Meta locked it: nothing is sent. */
  locked = false

  constructor(world: World, { name = 'Padaria Central', portfolio, parentUserIds = false }: AccountOptions) {
    this.world = world
    this.id = world.random.digits(15)
    this.name = name
    this.portfolio = portfolio ?? world.random.digits(15)
    this.parentUserIds = parentUserIds
    world.nodes.set(this.id, this)
  }

  /** A new number, verified and registered unless said. Throws when it is taken. */
  addNumber(digits: string, options: PhoneNumberOptions = {}): PhoneNumber {
    const taken = [...this.world.nodes.values()].some(
      node => node instanceof PhoneNumber && node.digits === digits,
    )
    if (taken) throw new Error(`the number ${digits} is taken`)
    const number = new PhoneNumber(this, digits, options)
    this.numbers.push(number)
    return number
  }

  /** A new template, approved unless said. Throws when the name is taken in this language. */
  addTemplate(options: TemplateOptions): Template {
    const template = new Template(this, options)
    const taken = this.templates.some(one => one.name === template.name && one.language === template.language)
    if (taken) throw new Error(`the template ${template.name} is there in ${template.language}`)
    this.templates.push(template)
    return template
  }

  /** Meta says something about the account (`account_update`), and locks it if so it says. */
  update(event: AccountEvent, more: Record<string, unknown> = {}): void {
    if (event === 'ACCOUNT_VIOLATION' || event === 'DISABLED_UPDATE') this.locked = true
    if (event === 'ACCOUNT_RECONNECTED') this.locked = false
    this.tell('account_update', { event, ...more })
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

  /** Tells every subscriber. */
  tell(field: string, value: object): void {
    this.world.webhooks.raise(this, { field, value })
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

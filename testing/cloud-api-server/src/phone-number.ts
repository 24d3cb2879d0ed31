import type { Account } from './account.ts'
import { BusinessApp } from './business-app.ts'
import type { Callback } from './callback.ts'
import type { State } from './state.ts'

export interface PhoneNumberOptions {
  name?: string
  /** Two-step PIN, required for registration. */
  pin?: string
  registered?: boolean
  /** Also used in the WhatsApp Business app, which alone reports edits, deletions and echoes. */
  coexistence?: boolean
  /** A test number writes to these people only. */
  allowed?: string[]
}

export type Quality = 'GREEN' | 'YELLOW' | 'RED' | 'UNKNOWN'
export type NameStatus = 'APPROVED' | 'AVAILABLE_WITHOUT_REVIEW' | 'DECLINED' | 'PENDING_REVIEW' | 'NONE'
export type MessagingLimit = 'TIER_250' | 'TIER_2K' | 'TIER_10K' | 'TIER_100K' | 'TIER_UNLIMITED'

/** A company's number, with the health that Meta reports. */
export class PhoneNumber {
  account: Account
  id: string
  /** Country, area and number: nothing but digits. */
  digits: string
  name: string
  pin: string | undefined
  registered: boolean
  coexistence: boolean
  /** Used while `coexistence` is set. */
  businessApp: BusinessApp
  allowed: Set<string> | undefined
  quality: Quality = 'GREEN'
  nameStatus: NameStatus = 'APPROVED'
  throughput: 'STANDARD' | 'HIGH' = 'STANDARD'
  limit: MessagingLimit = 'TIER_2K'
  status: 'CONNECTED' | 'PENDING' | 'FLAGGED' | 'RESTRICTED' | 'BANNED' = 'CONNECTED'
  /** Fields that this version of Graph does not have. */
  lacks: Set<string> = new Set()
  /** An address for the news of this number alone. */
  callback: Callback | undefined
  /** Moments of the last registrations: ten in 72 hours are the most. */
  registrations: number[] = []

  constructor(account: Account, digits: string, options: PhoneNumberOptions = {}) {
    const { name = account.name, pin, registered = true, coexistence = false, allowed } = options
    this.account = account
    this.id = account.state.random.digits(15)
    this.digits = digits
    this.name = name
    this.pin = pin
    this.registered = registered
    this.coexistence = coexistence
    this.allowed = allowed && new Set(allowed)
    this.businessApp = new BusinessApp(this)
    this.state.nodes.set(this.id, this)
  }

  get state(): State {
    return this.account.state
  }

  /** What every webhook about its messages begins with. */
  get metadata() {
    return { display_phone_number: this.digits, phone_number_id: this.id }
  }

  /** Meta thinks better or worse of it (`phone_number_quality_update`). */
  setQuality(quality: Quality): void {
    const event = quality === 'RED' ? 'FLAGGED' : this.quality === 'RED' ? 'UNFLAGGED' : 'ONBOARDING'
    this.quality = quality
    this.status = quality === 'RED' ? 'FLAGGED' : 'CONNECTED'
    this.#tellQuality(event, this.limit)
  }

  /** Field `status` of the number's node; no webhook reports it. */
  setStatus(status: PhoneNumber['status']): void {
    this.status = status
  }

  /** It may write first to more people in a day, or to fewer. */
  setLimit(limit: MessagingLimit): void {
    const tiers = ['TIER_250', 'TIER_2K', 'TIER_10K', 'TIER_100K', 'TIER_UNLIMITED']
    const event = tiers.indexOf(limit) > tiers.indexOf(this.limit) ? 'UPGRADE' : 'DOWNGRADE'
    const old = this.limit
    this.limit = limit
    this.#tellQuality(event, limit, old)
  }

  /** 1,000 messages a second instead of 80. */
  upgradeThroughput(): void {
    this.throughput = 'HIGH'
    this.#tellQuality('THROUGHPUT_UPGRADE', 'TIER_UNLIMITED')
  }

  /** Meta decides on the name that is shown (`phone_number_name_update`). */
  decideName(decision: 'APPROVED' | 'REJECTED', name = this.name): void {
    this.nameStatus = decision === 'APPROVED' ? 'APPROVED' : 'DECLINED'
    if (decision === 'APPROVED') this.name = name
    this.account.tell('phone_number_name_update', {
      display_phone_number: this.digits,
      decision,
      requested_verified_name: name,
      rejection_reason: decision === 'APPROVED' ? null : 'NAME_EMPLOYEE_ENTITY_NAME_ISSUE',
    })
  }

  /** News of this number's messages, to every subscriber. */
  tell(field: string, value: object): void {
    const whole = { messaging_product: 'whatsapp', metadata: this.metadata, ...value }
    this.state.webhooks.raise(this.account, { field, value: whole, number: this })
  }

  #tellQuality(event: string, current: string, old?: string) {
    this.account.tell('phone_number_quality_update', {
      display_phone_number: this.digits,
      event,
      ...(old ? { old_limit: old } : {}),
      current_limit: current,
      max_daily_conversations_per_business: this.limit,
    })
  }
}

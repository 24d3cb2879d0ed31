import type { Account } from './account.ts'

export type TemplateStatus = 'APPROVED' | 'PENDING' | 'REJECTED' | 'PAUSED' | 'DISABLED'
export type TemplateCategory = 'MARKETING' | 'UTILITY' | 'AUTHENTICATION'
export type HeaderFormat = 'TEXT' | 'IMAGE' | 'VIDEO' | 'DOCUMENT' | 'LOCATION' | 'PRODUCT'

export type TemplateButton =
  | { type: 'QUICK_REPLY'; text: string }
  | { type: 'URL'; text: string; url: string }
  | { type: 'PHONE_NUMBER'; text: string; phone_number: string }
  | { type: 'COPY_CODE'; example: string }
  | { type: 'FLOW'; text: string; flow_id: string }
  | { type: 'CATALOG'; text: string }
  | { type: 'MPM'; text: string }

/** As Graph lists them. */
export type TemplateComponent =
  | { type: 'HEADER'; format: HeaderFormat; text?: string; example?: object }
  | { type: 'BODY'; text: string; example?: object }
  | { type: 'FOOTER'; text: string }
  | { type: 'BUTTONS'; buttons: TemplateButton[] }

export interface TemplateOptions {
  name: string
  language?: string
  category?: TemplateCategory
  status?: TemplateStatus
  /** Placeholders are `{{1}}` … or `{{name}}`. */
  format?: 'POSITIONAL' | 'NAMED'
  components: TemplateComponent[]
}

/** A message template of an account, in one language. */
export class Template {
  account: Account
  id: string
  name: string
  language: string
  category: TemplateCategory
  status: TemplateStatus
  format: 'POSITIONAL' | 'NAMED'
  components: TemplateComponent[]
  quality: 'GREEN' | 'YELLOW' | 'RED' | 'UNKNOWN' = 'UNKNOWN'

  constructor(account: Account, options: TemplateOptions) {
    const { language = 'pt_BR', category = 'UTILITY', status = 'APPROVED', format = 'POSITIONAL' } = options
    this.account = account
    this.id = account.state.random.digits(16)
    this.name = options.name
    this.language = language
    this.category = category
    this.status = status
    this.format = format
    this.components = options.components
    account.state.nodes.set(this.id, this)
  }

  /** Meta decides (`message_template_status_update`). A reason goes with a rejection. */
  decide(status: TemplateStatus, reason = 'NONE'): void {
    this.status = status
    this.account.tell('message_template_status_update', {
      event: status,
      ...this.#named,
      reason,
      message_template_category: this.category,
      ...(status === 'PAUSED'
        ? { other_info: { title: 'FIRST_PAUSE', description: 'Your template has been paused.' } }
        : {}),
      ...(status === 'DISABLED'
        ? { disable_info: { disable_date: `${this.account.state.clock.seconds()}` } }
        : {}),
    })
  }

  /** People like it better or less (`message_template_quality_update`). */
  setQuality(quality: Template['quality']): void {
    const old = this.quality
    this.quality = quality
    this.account.tell('message_template_quality_update', {
      previous_quality_score: old,
      new_quality_score: quality,
      ...this.#named,
    })
  }

  /** Meta moves it to another category, and another price (`template_category_update`). */
  moveTo(category: TemplateCategory): void {
    const old = this.category
    this.category = category
    this.account.tell('template_category_update', {
      ...this.#named,
      previous_category: old,
      new_category: category,
    })
  }

  get header() {
    return this.components.find(component => component.type === 'HEADER')
  }

  get body(): string {
    return this.components.find(component => component.type === 'BODY')?.text ?? ''
  }

  get footer(): string {
    return this.components.find(component => component.type === 'FOOTER')?.text ?? ''
  }

  get buttons(): TemplateButton[] {
    return this.components.find(component => component.type === 'BUTTONS')?.buttons ?? []
  }

  /** The id is a number here, and the language is written with a hyphen. */
  get #named() {
    return {
      message_template_id: Number(this.id),
      message_template_name: this.name,
      message_template_language: this.language.replace('_', '-'),
    }
  }
}

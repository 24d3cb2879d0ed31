import type { proto } from 'baileys'
import { attempt, lineFrom } from './text.ts'

/** What a message offers to choose from, and the words above it. */
export interface Offer {
  body: string | null | undefined
  choices: string[]
}

/** As many as `ChoiceData` may have. */
export const MAX_CHOICES = 100

const offer = (body: Offer['body'], labels: unknown[]): Offer => ({
  body,
  choices: labels
    .map(label => lineFrom(label))
    .filter(Boolean)
    .slice(0, MAX_CHOICES),
})

export const ofPoll = ({ name, options }: proto.Message.IPollCreationMessage): Offer =>
  offer(
    name,
    (options ?? []).map(({ optionName }) => optionName),
  )

export const ofButtons = ({ contentText, buttons }: proto.Message.IButtonsMessage): Offer =>
  offer(
    contentText,
    (buttons ?? []).map(({ buttonText }) => buttonText?.displayText),
  )

export const ofList = ({ title, description, sections }: proto.Message.IListMessage): Offer =>
  offer(
    [title, description].filter(Boolean).join('\n'),
    (sections ?? []).flatMap(({ rows }) => (rows ?? []).map(row => row.title)),
  )

export function ofTemplate({
  hydratedTemplate,
  hydratedFourRowTemplate,
}: proto.Message.ITemplateMessage): Offer {
  const { hydratedTitleText, hydratedContentText, hydratedButtons } =
    hydratedFourRowTemplate ?? hydratedTemplate ?? {}
  return offer(
    [hydratedTitleText, hydratedContentText].filter(Boolean).join('\n'),
    (hydratedButtons ?? []).map(
      ({ quickReplyButton, urlButton, callButton }) =>
        (quickReplyButton ?? urlButton ?? callButton)?.displayText,
    ),
  )
}

export function ofInteractive({ header, body, nativeFlowMessage }: proto.Message.IInteractiveMessage): Offer {
  return offer(
    [header?.title, body?.text].filter(Boolean).join('\n'),
    (nativeFlowMessage?.buttons ?? [])
      .filter((_, at) => at < MAX_CHOICES)
      .flatMap(({ buttonParamsJson }) => labelsIn(buttonParamsJson ?? '')),
  )
}

/** A template whose texts are filled in by the phone: their parameters are what is known. */
export const ofPlainTemplate = ({
  content,
  buttons,
}: proto.Message.TemplateMessage.IFourRowTemplate): Offer =>
  offer(
    content ? ofHighlyStructured(content) : '',
    (buttons ?? []).map(({ quickReplyButton, urlButton, callButton }) => {
      const text = (quickReplyButton ?? urlButton ?? callButton)?.displayText
      return text ? ofHighlyStructured(text) : ''
    }),
  )

export const ofHighlyStructured = (part: proto.Message.IHighlyStructuredMessage): string => {
  const filled = (part.localizableParams ?? []).map(({ default: text }) => lineFrom(text))
  const words = [...(part.params ?? []), ...filled].map(one => lineFrom(one, 1_000)).filter(Boolean)
  return words.filter((_, at) => at < MAX_CHOICES).join('\n') || lineFrom(part.elementName)
}

const MAX_JSON = 65_536

/** What a button shows: its label, with the code that it copies; of a list also its rows. */
function labelsIn(json: string): unknown[] {
  const params = json.length <= MAX_JSON ? attempt(() => JSON.parse(json) as Params | null) : null
  if (!params || typeof params !== 'object') return []
  const label = lineFrom(params.display_text) || lineFrom(params.title)
  const code = lineFrom(params.copy_code)
  const sections = Array.isArray(params.sections) ? params.sections : []
  const rows = sections.flatMap(section => (Array.isArray(section?.rows) ? section.rows : []))
  return [
    code && code !== label ? [label, code].filter(Boolean).join(': ') : label,
    ...rows.map(row => row?.title),
  ]
}

interface Params {
  display_text?: unknown
  title?: unknown
  copy_code?: unknown
  sections?: ({ rows?: ({ title?: unknown } | null)[] } | null)[]
}

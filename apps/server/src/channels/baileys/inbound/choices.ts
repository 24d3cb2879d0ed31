import type { proto } from 'baileys'
import { lineFrom } from './text.ts'

/** What a message offers to choose from, and the words above it. */
export interface Offer {
  body: string | null | undefined
  choices: string[]
}

const MAX_CHOICES = 100

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
    (nativeFlowMessage?.buttons ?? []).map(({ buttonParamsJson }) => labelIn(buttonParamsJson ?? '')),
  )
}

function labelIn(json: string): unknown {
  try {
    const params: unknown = JSON.parse(json)
    return params && typeof params === 'object' && 'display_text' in params ? params.display_text : ''
  } catch {
    return ''
  }
}

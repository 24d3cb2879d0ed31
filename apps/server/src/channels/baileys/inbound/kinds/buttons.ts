import { ofButtons, ofList } from '../choices.ts'
import { headed } from './files.ts'
import { type KindReading, kindOf } from './kind.ts'

const shown = { bubble: 'the text with its choices below' }

export const buttonsKind = kindOf(['buttonsMessage'], { name: 'buttons', ...shown }, part => ({
  ...headed(part),
  ...offered(ofButtons(part)),
}))

export const listKind = kindOf(['listMessage'], { name: 'list', ...shown }, part => offered(ofList(part)))

/** Words with choices below. */
export const offered = ({
  body,
  choices,
}: {
  body: KindReading['body']
  choices: string[]
}): KindReading => ({
  body,
  ...(choices.length > 0 && { data: { choices } }),
})

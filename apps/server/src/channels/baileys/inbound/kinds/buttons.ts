import { ofButtons, ofList } from '../choices.ts'
import { headed } from './files.ts'
import { kindOf, type Reading } from './kind.ts'

const shown = { bubble: 'the text with its choices below' }

export const buttons = kindOf(['buttonsMessage'], { name: 'buttons', ...shown }, part => ({
  ...headed(part),
  ...offered(ofButtons(part)),
}))

export const list = kindOf(['listMessage'], { name: 'list', ...shown }, part => offered(ofList(part)))

/** Words with choices below. */
export const offered = ({ body, choices }: { body: Reading['body']; choices: string[] }): Reading => ({
  body,
  ...(choices.length > 0 && { data: { choices } }),
})

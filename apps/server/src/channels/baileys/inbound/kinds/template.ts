import type { proto } from 'baileys'
import { ofHighlyStructured, ofPlainTemplate, ofTemplate } from '../choices.ts'
import { offered } from './buttons.ts'
import { headed } from './files.ts'
import { interactiveRead } from './interactive.ts'
import { type KindReading, kindOf } from './kind.ts'

export const templateKind = kindOf(
  ['templateMessage'],
  { name: 'template', bubble: 'the text with its buttons below' },
  templateRead,
)

export const structuredKind = kindOf(
  ['highlyStructuredMessage'],
  {
    name: 'template of older business programs',
    bubble: 'the text with its buttons below, else its parameters',
  },
  part => (part.hydratedHsm ? templateRead(part.hydratedHsm) : { body: ofHighlyStructured(part) }),
)

function templateRead(part: proto.Message.ITemplateMessage): KindReading {
  if (part.interactiveMessageTemplate) return interactiveRead(part.interactiveMessageTemplate)
  const { fourRowTemplate: plain } = part
  const hydrated = part.hydratedFourRowTemplate ?? part.hydratedTemplate
  if (!hydrated && plain) return { ...headed(plain), ...offered(ofPlainTemplate(plain)) }
  return { ...headed(hydrated), ...offered(ofTemplate(part)) }
}

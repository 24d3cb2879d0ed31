import { z } from 'zod'
import { refusal } from './graph-error.ts'
import type { TemplateParameter } from './message-shapes.ts'
import { bounded, few, read } from './reading.ts'
import type { TemplateButton } from './templates.ts'

const MOST_PRODUCTS = 30

const retailerId = z.string().min(1).max(100)

/**
 * What opens with a button, by its type: a form (page "Flows"), the catalogue (page "Catalog templates"), products of it in
 * sections (page "Multi-product message templates": up to 10 sections, 30 products).
 */
const ACTIONS = {
  FLOW: z.strictObject({
    flow_token: z.string().min(1).optional(),
    flow_action_data: z.record(z.string(), z.unknown()).optional(),
  }),
  CATALOG: z.strictObject({ thumbnail_product_retailer_id: retailerId }),
  MPM: z.strictObject({
    thumbnail_product_retailer_id: retailerId,
    sections: few(
      z.strictObject({
        title: bounded('Section title', 24),
        product_items: z.array(z.strictObject({ product_retailer_id: retailerId })).min(1),
      }),
      'sections',
      10,
    ).refine(sections => sections.flatMap(({ product_items: items }) => items).length <= MOST_PRODUCTS, {
      error: `Invalid product count. Max allowed products: ${MOST_PRODUCTS}`,
      params: { code: 131009 },
    }),
  }),
}

type Opening = keyof typeof ACTIONS

export const opens = (type: TemplateButton['type']): type is Opening => type in ACTIONS

/** Checks the parameter of such a button. Throws what Graph refuses. */
export function checkAction(type: Opening, [parameter, ...more]: TemplateParameter[], at: number): void {
  if (parameter?.type !== 'action' || more.length > 0)
    throw refusal(
      132012,
      `buttons: Button at index ${at} of type ${type} requires one parameter of type action`,
    )
  const under = `template['buttons'][${at}]['action']`
  read<object>(ACTIONS[type], parameter.action, under)
}

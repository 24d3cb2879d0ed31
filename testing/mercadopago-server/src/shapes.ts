import { z } from 'zod'
import { refusals } from './refusals.ts'

const words = (most: number) => z.string().trim().min(1).max(most)

/** Reais, to the cent: 19.99. */
const reais = z
  .number()
  .positive()
  .refine(value => Math.abs(value * 100 - Math.round(value * 100)) < 1e-6)

const payer = {
  email: z.email(),
  first_name: words(256).optional(),
  last_name: words(256).optional(),
  identification: z.strictObject({ type: z.enum(['CPF', 'CNPJ']), number: words(20) }),
}

/** All of it is required of a boleto. */
const Address = z.strictObject({
  zip_code: z.string().regex(/^\d{8}$/),
  street_name: words(256),
  street_number: words(256),
  neighborhood: words(256),
  city: words(256),
  federal_unit: z.string().regex(/^[A-Z]{2}$/),
})

const shared = {
  transaction_amount: reais,
  description: words(255).optional(),
  external_reference: words(256).optional(),
  date_of_expiration: z.iso.datetime({ offset: true, precision: 3 }).optional(),
}

/** Payments that need no card; https://www.mercadopago.com.br/developers/pt/reference/payments/_payments/post */
export const PaymentAsked = z.discriminatedUnion('payment_method_id', [
  z.strictObject({ ...shared, payment_method_id: z.literal('pix'), payer: z.strictObject(payer) }),
  z.strictObject({
    ...{ ...shared, payment_method_id: z.literal('bolbradesco') },
    payer: z.strictObject({ ...payer, address: Address }),
  }),
])
export type PaymentAsked = z.infer<typeof PaymentAsked>

/** https://www.mercadopago.com.br/developers/pt/reference/chargebacks/_payments_payment_id/put */
export const PaymentChange = z.strictObject({ status: z.string() })

/** https://www.mercadopago.com.br/developers/pt/reference/chargebacks/_payments_id_refunds/post: without an amount all of it. */
export const RefundAsked = z.strictObject({ amount: reais.optional() })

const when = z.union([z.iso.datetime({ offset: true, precision: 3 }), z.literal('NOW')])

/** https://www.mercadopago.com.br/developers/pt/reference/payments/_payments_search/get */
export const SearchAsked = z.strictObject({
  sort: z.enum(['date_approved', 'date_created', 'date_last_updated', 'id', 'money_release_date']),
  criteria: z.enum(['asc', 'desc']),
  external_reference: words(256).optional(),
  range: z.literal('date_created').optional(),
  begin_date: when.optional(),
  end_date: when.optional(),
  limit: z.coerce.number().int().min(1).max(1_000).default(30),
  offset: z.coerce.number().int().min(0).default(0),
})

/** The parsed input; refuses with Mercado Pago’s code for the first invalid field. */
export function fitting<Shape extends z.ZodType>(shape: Shape, asked: unknown): z.output<Shape> {
  if (typeof asked !== 'object' || asked === null) throw refusals.noJson()
  const { data, error } = shape.safeParse(asked)
  if (!error) return data as z.output<Shape>
  const issue = error.issues[0]!
  if (issue.code === 'unrecognized_keys')
    throw refusals.unknownNames(issue.keys.map(key => [...issue.path, key].join('.')))
  const field = issue.path.join('.')
  if (field === 'date_of_expiration') throw refusals.wrongDate()
  if (field === 'payer.email') throw refusals.wrongEmail()
  if (field === 'payer.identification.number') throw refusals.wrongDocument()
  if (field === 'transaction_amount') throw refusals.wrongAmount()
  if (field === 'begin_date' || field === 'end_date') throw refusals.wrongSearchDate()
  throw refusals.wrongField(field)
}

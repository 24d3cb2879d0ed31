import { z } from 'zod'
import { AsaasRefusal } from './refusals.ts'

const words = (most: number) => z.string().trim().min(1).max(most)

/** What a customer is made of. */
export const CustomerAsked = z.strictObject({
  name: words(255),
  cpfCnpj: words(18),
  email: z.email().optional(),
  externalReference: words(255).optional(),
  notificationDisabled: z.boolean().optional(),
})
export type CustomerAsked = z.infer<typeof CustomerAsked>

/** What changes of one; the rest stays. */
export const CustomerChange = CustomerAsked.partial()

export const BILLING_TYPES = ['BOLETO', 'CREDIT_CARD', 'PIX', 'UNDEFINED'] as const

/** Reais, to the cent: 19.99. */
const reais = z
  .number()
  .positive()
  .refine(value => Math.abs(value * 100 - Math.round(value * 100)) < 1e-6, 'takes two decimals')

const percent = z.number().min(0).max(100)

export const PaymentAsked = z.strictObject({
  customer: words(50),
  billingType: z.enum(BILLING_TYPES),
  value: reais,
  dueDate: z.iso.date(),
  description: z.string().max(500).optional(),
  externalReference: words(255).optional(),
  /** https://docs.asaas.com/reference/criar-nova-cobranca: the interest is percent a month, ten at most. */
  fine: z
    .strictObject({ value: percent, type: z.enum(['PERCENTAGE', 'FIXED']).default('PERCENTAGE') })
    .optional(),
  interest: z.strictObject({ value: percent.max(10) }).optional(),
  pixAutomaticAuthorizationId: words(50).optional(),
})
export type PaymentAsked = z.infer<typeof PaymentAsked>

const Taxes = z.strictObject({
  retainIss: z.boolean(),
  ...{ iss: percent, pis: percent, cofins: percent, csll: percent, inss: percent, ir: percent },
})

const note = {
  serviceDescription: words(1_000),
  observations: z.string().max(1_000),
  externalReference: words(255).optional(),
  value: reais,
  deductions: z.number().min(0),
  effectiveDate: z.iso.date(),
  municipalServiceId: words(50).optional(),
  municipalServiceCode: words(50).optional(),
  municipalServiceName: words(350),
  taxes: Taxes,
}

/** https://docs.asaas.com/reference/agendar-nota-fiscal */
export const NoteAsked = z
  .strictObject({ payment: words(50), ...note })
  .refine(one => one.municipalServiceId !== undefined || one.municipalServiceCode !== undefined, {
    path: ['municipalServiceId'],
  })
export const NoteChange = z.strictObject({ payment: words(50), ...note }).partial()

/** https://docs.asaas.com/reference/pix-automático */
export const AuthorizationAsked = z.strictObject({
  customerId: words(50),
  frequency: z.enum(['WEEKLY', 'MONTHLY', 'QUARTERLY', 'SEMIANNUALLY', 'ANNUALLY']),
  contractId: words(35),
  startDate: z.iso.date(),
  description: words(35).optional(),
  paymentCreationMode: z.enum(['MANUAL', 'SUBSCRIPTION']).optional(),
  immediateQrCode: z.strictObject({
    expirationSeconds: z.int().positive(),
    originalValue: reais,
    description: words(35).optional(),
  }),
})

/** https://docs.asaas.com/reference/pagar-uma-cobranca-com-cartao-de-credito; numbers of cards are refused. */
export const CardPaymentAsked = z.strictObject({ creditCardToken: words(100) })

const page = {
  limit: z.coerce.number().int().min(1).max(100).default(10),
  offset: z.coerce.number().int().min(0).default(0),
}

/** What lists are narrowed by; Asaas would ignore another name and list everything. */
export const ListAsked = z.strictObject({ ...page, externalReference: words(255).optional() })

/** https://docs.asaas.com/reference/listar-cobrancas */
export const PaymentsListAsked = ListAsked.extend({ 'dateCreated[ge]': z.iso.date().optional() })

/** https://docs.asaas.com/reference/estornar-cobranca: without a value all of it. */
export const RefundAsked = z.strictObject({
  value: reais.optional(),
  description: z.string().max(500).optional(),
})

export const AuthorizationsListAsked = z.strictObject({ ...page, customerId: words(50).optional() })

export const NotesListAsked = ListAsked.extend({ payment: words(50).optional() })

/** The parsed input; refuses with an error for each invalid field. */
export function fitting<Shape extends z.ZodType>(shape: Shape, asked: unknown): z.output<Shape> {
  const { data, error } = shape.safeParse(asked)
  if (!error) return data as z.output<Shape>
  throw new AsaasRefusal(
    400,
    ...error.issues.map(issue => {
      const field = issue.code === 'unrecognized_keys' ? issue.keys.join(', ') : issue.path.join('.')
      return {
        code: `invalid_${field || 'object'}`,
        description: `O campo ${field} é inválido: ${issue.message}`,
      }
    }),
  )
}

/** An error reply of Mercado Pago: `{ message, error, status, cause: [{ code, description, data }] }`. */
export class MercadoPagoRefusal extends Error {
  readonly status: number
  readonly body: object

  constructor(status: number, error: string, code: number, description: string) {
    super(description)
    this.status = status
    this.body = { message: description, error, status, cause: [{ code, description, data: null }] }
  }
}

const bad = (code: number, description: string) =>
  new MercadoPagoRefusal(400, 'bad_request', code, description)
const unauthorized = (description: string) => new MercadoPagoRefusal(401, 'unauthorized', 5, description)

/** Codes and texts: https://www.mercadopago.com.br/developers/pt/reference/payments/_payments/post and its neighbours. */
export const refusals = {
  noToken: () => unauthorized('Must provide your access_token to proceed'),
  wrongToken: () => unauthorized('invalid access token'),
  noKey: () => bad(4292, "Header X-Idempotency-Key can't be null"),
  noJson: () => bad(1, 'Params Error'),
  unknownNames: (names: string[]) =>
    bad(8, `The name of the following parameters is wrong : [${names.join(', ')}]`),
  wrongField: (field: string) => bad(1, `Params Error: ${field}`),
  wrongDate: () =>
    bad(
      23,
      "The following parameters must be valid date and format (yyyy-MM-dd'T'HH:mm:ssz): date_of_expiration",
    ),
  wrongDocument: () => bad(2067, 'Invalid user identification number'),
  wrongEmail: () => bad(4050, 'payer.email must be a valid email'),
  wrongAmount: () => bad(4037, 'Invalid transaction_amount'),
  tooManyRows: () => bad(1000, 'Number of rows exceeded the limits'),
  wrongSearchDate: () => bad(1001, "Date format must be yyyy-MM-dd'T'HH:mm:ss.SSSZ"),
  notFound: () => new MercadoPagoRefusal(404, 'not_found', 2000, 'Payment not found'),
  nothingThere: () => new MercadoPagoRefusal(404, 'not_found', 404, 'resource not found'),
  wrongStatus: () => bad(2016, 'Invalid Status for Update'),
  wrongState: () => bad(2018, 'The action requested is not valid for the current payment state'),
  notRefundable: () => bad(2063, 'The action requested is not valid for the current payment state'),
  onPurpose: (status: number) =>
    new MercadoPagoRefusal(status, 'on_purpose', status, 'Falha provocada pelo teste.'),
}

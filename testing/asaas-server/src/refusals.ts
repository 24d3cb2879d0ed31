/** An error reply of Asaas: `{ errors: [{ code, description }] }`. */
export class AsaasRefusal extends Error {
  readonly status: number
  readonly errors: { code: string; description: string }[]

  constructor(status: number, ...errors: { code: string; description: string }[]) {
    super(errors.map(({ description }) => description).join(' '))
    this.status = status
    this.errors = errors
  }
}

const refusal = (status: number, code: string, description: string) =>
  new AsaasRefusal(status, { code, description })

export const refusals = {
  noToken: () =>
    refusal(401, 'access_token_not_found', "O cabeçalho de autenticação 'access_token' é obrigatório."),
  wrongToken: () => refusal(401, 'invalid_access_token', 'A chave de API fornecida é inválida.'),
  noUserAgent: () => refusal(400, 'invalid_user_agent', 'O cabeçalho User-Agent deve ser informado.'),
  bodyOfGet: () => refusal(403, 'forbidden', 'Uma chamada GET não leva corpo.'),
  notFound: (what: string) => refusal(404, 'not_found', `${what} não encontrado(a).`),
  wrongDocument: () => refusal(400, 'invalid_object', 'O CPF/CNPJ informado é inválido.'),
  wrongCustomer: () => refusal(400, 'invalid_customer', 'Customer inválido ou não informado.'),
  overToday: () => refusal(400, 'invalid_dueDate', 'A data de vencimento não pode ser inferior à hoje.'),
  tooLittle: (value: number) =>
    refusal(
      400,
      'invalid_object',
      `O valor da cobrança (R$ ${value.toFixed(2).replace('.', ',')}) menos o valor do desconto (R$ 0,00) não pode ser menor que R$ 5,00.`,
    ),
  notRefundable: () =>
    refusal(400, 'invalid_action', 'Somente cobranças confirmadas ou recebidas podem ser estornadas.'),
  tooMuch: () =>
    refusal(400, 'invalid_value', 'O valor do estorno não pode ser maior que o valor restante da cobrança.'),
  notRemovable: () =>
    refusal(400, 'invalid_action', 'Somente cobranças aguardando pagamento ou vencidas podem ser removidas.'),
  noAuthorization: () => refusal(400, 'invalid_action', 'A autorização do Pix Automático não está ativa.'),
  authorizationOver: () => refusal(400, 'invalid_action', 'A autorização não pode ser cancelada.'),
  outsideWindow: () =>
    refusal(400, 'invalid_dueDate', 'O vencimento deve estar entre 2 e 10 dias úteis a partir de hoje.'),
  notPayableByCard: () =>
    refusal(400, 'invalid_action', 'Esta cobrança não pode ser paga com cartão de crédito.'),
  cardToken: () => refusal(400, 'invalid_creditCardToken', 'Token do cartão inválido.'),
  cardRefused: () =>
    refusal(400, 'invalid_creditCard', 'Transação não autorizada. Verifique os dados do cartão de crédito.'),
  noteIssued: () =>
    refusal(400, 'invalid_action', 'Somente notas fiscais agendadas ou com erro podem ser alteradas.'),
  onPurpose: (status: number) => refusal(status, 'on_purpose', 'Falha provocada pelo teste.'),
}

/** What is answered instead of a completion, in the shape of the protocol: `{ error: { message, type, param, code } }`. */
export interface Refused {
  status: number
  message: string
  type: string
  code: string | null
  param: string | null
  headers?: Record<string, string>
}

const refused = (status: number, type: string, code: string | null, message: string, param?: string) => ({
  status,
  type,
  code,
  message,
  param: param ?? null,
})

export const refusals = {
  noKey: (): Refused =>
    refused(401, 'invalid_request_error', null, "You didn't provide an API key in an Authorization header."),
  wrongKey: (): Refused =>
    refused(401, 'invalid_request_error', 'invalid_api_key', 'Incorrect API key provided.'),
  noModel: (model: string): Refused =>
    refused(404, 'invalid_request_error', 'model_not_found', `The model \`${model}\` does not exist.`),
  wrong: (message: string, param?: string): Refused =>
    refused(400, 'invalid_request_error', null, message, param),
  unsupported: (param: string): Refused =>
    refused(
      400,
      'invalid_request_error',
      'unsupported_parameter',
      `Unsupported parameter: '${param}' is not supported with this model.`,
      param,
    ),
  tooFast: (seconds?: number): Refused => ({
    ...refused(429, 'requests', 'rate_limit_exceeded', 'Rate limit reached.'),
    ...(seconds !== undefined && { headers: { 'retry-after': String(seconds) } }),
  }),
  noQuota: (): Refused =>
    refused(429, 'insufficient_quota', 'insufficient_quota', 'You exceeded your current quota.'),
  broken: (status = 500): Refused =>
    refused(status, 'server_error', null, 'The server had an error while processing your request.'),
  nowhere: (method: string, path: string): Refused =>
    refused(404, 'invalid_request_error', null, `Invalid URL (${method} ${path})`),
}

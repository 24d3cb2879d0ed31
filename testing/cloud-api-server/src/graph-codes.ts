/** HTTP status, title (shown in `message` and in webhooks) and details, as Meta's page "Error codes" lists them. */
type Meaning = [status: number, title: string, details: string]

const CODES: Record<number, Meaning> = {
  0: [401, 'AuthException', 'We were unable to authenticate the app user.'],
  1: [400, 'API Unknown', 'Invalid request or possible server error.'],
  2: [503, 'API Service', 'Temporary due to downtime or due to being overloaded.'],
  3: [500, 'API Method', 'Capability or permissions issue.'],
  4: [400, 'Application request limit reached', 'The app has reached its API call rate limit.'],
  10: [
    403,
    'Application does not have permission for this action',
    'Permission is either not granted or has been removed.',
  ],
  33: [400, 'Parameter value is not valid', 'The business phone number has been deleted.'],
  100: [400, 'Invalid parameter', 'The request included one or more unsupported or misspelled parameters.'],
  200: [403, 'Permissions error', 'Permission is either not granted or has been removed.'],
  368: [
    403,
    'Temporarily blocked for policies violations',
    'The WhatsApp Business Account associated with the app has been restricted or disabled for violating a platform policy.',
  ],
  80007: [400, 'Rate limit issues', 'The WhatsApp Business Account has reached its rate limit.'],
  130403: [
    400,
    'Business has blocked the user',
    'Unable to deliver the message. This business has blocked the end user on WhatsApp',
  ],
  130429: [400, 'Rate limit hit', 'Cloud API message throughput has been reached.'],
  130472: [400, "User's number is part of an experiment", 'Message was not sent as part of an experiment.'],
  130497: [
    403,
    'Business account is restricted from messaging users in this country.',
    'The WhatsApp Business Account is restricted from messaging to users in certain countries.',
  ],
  131000: [500, 'Something went wrong', 'Message failed to send due to an unknown error.'],
  131005: [403, 'Access denied', 'Permission is either not granted or has been removed.'],
  131008: [400, 'Required parameter is missing', 'The request is missing a required parameter.'],
  131009: [400, 'Parameter value is not valid', 'One or more parameter values are invalid.'],
  131016: [500, 'Service unavailable', 'A service is temporarily unavailable.'],
  131021: [400, 'Recipient cannot be sender', 'Sender and recipient phone number is the same.'],
  131026: [400, 'Message undeliverable', 'Message Undeliverable.'],
  131030: [
    400,
    'Recipient phone number not in allowed list',
    'Recipient phone number not in allowed list: Add recipient phone number to recipient list and try again.',
  ],
  131031: [
    403,
    'Account has been locked',
    'The WhatsApp Business Account associated with the app has been restricted or disabled for violating a platform policy.',
  ],
  131042: [
    400,
    'Business eligibility payment issue',
    'Message failed to send because there were one or more errors related to your payment method.',
  ],
  131045: [500, 'Incorrect certificate', 'Message failed to send due to a phone number registration error.'],
  131047: [
    400,
    'Re-engagement message',
    'Message failed to send because more than 24 hours have passed since the customer last replied to this number.',
  ],
  131048: [
    400,
    'Spam rate limit hit',
    'Message failed to send because there are restrictions on how many messages can be sent from this phone number.',
  ],
  131049: [
    400,
    'This message was not delivered to maintain healthy ecosystem engagement.',
    'In order to maintain a healthy ecosystem engagement, the message failed to be delivered.',
  ],
  131050: [
    400,
    'Unable to deliver the message. This recipient has chosen to stop receiving marketing messages on WhatsApp from your business',
    'Unable to deliver the message. This recipient has chosen to stop receiving marketing messages on WhatsApp from your business.',
  ],
  131051: [400, 'Unsupported message type', 'Unsupported message type.'],
  131060: [400, 'This message is currently unavailable.', 'This message is currently unavailable.'],
  131052: [400, 'Media download error', 'Unable to download the media sent by the user.'],
  131053: [400, 'Media upload error', 'Unable to upload the media used in the message.'],
  131056: [
    400,
    '(Business Account, Consumer Account) pair rate limit hit',
    'Message failed to send because there were too many messages sent from this phone number to the same phone number in a short period of time.',
  ],
  131057: [500, 'Account in maintenance mode', 'Business Account is in maintenance mode'],
  131062: [
    400,
    'Unsupported recipient',
    'Business-scoped User ID (BSUID) recipients are not supported for this message.',
  ],
  131064: [
    400,
    'Messaging limit reached',
    'Message failed to send because this account has reached its messaging limit due to template classification violations.',
  ],
  132000: [
    400,
    'Number of parameters does not match the expected number of params',
    'The number of variable parameter values included in the request did not match the number of variable parameters defined in the template.',
  ],
  132001: [
    404,
    'Template name does not exist in the translation',
    'The template does not exist in the specified language or the template has not been approved.',
  ],
  132005: [400, 'Translated text too long', 'Translated text is too long.'],
  132007: [400, 'Template format character policy violated', 'Template content violates a WhatsApp policy.'],
  132012: [
    400,
    'Parameter format does not match format in the created template',
    'Variable parameter values formatted incorrectly.',
  ],
  132015: [
    400,
    'Template is paused',
    'Template is paused due to low quality so it cannot be sent in a template message.',
  ],
  132016: [
    400,
    'Template is disabled',
    'Template has been paused too many times due to low quality and is now permanently disabled.',
  ],
  132068: [400, 'Flow is blocked', 'Flow is in blocked state.'],
  132069: [
    400,
    'Flow is throttled',
    'Flow is in throttled state and 10 messages using this flow were already sent in the last hour.',
  ],
  133004: [503, 'Server temporarily unavailable', 'Server is temporarily unavailable.'],
  133005: [400, 'Two step verification PIN mismatch', 'Two-step verification PIN incorrect.'],
  133010: [400, 'Account not registered', 'Phone number not registered on the WhatsApp Business Platform.'],
  133016: [
    400,
    'Account register/deregister rate limit exceeded',
    'Registration or Deregistration failed because there were too many attempts for this phone number in a short period of time',
  ],
  135000: [
    400,
    'Generic user error',
    'Message failed to send because of an unknown error with your request parameters.',
  ],
}

/** Meta's text of a code; a generic one for codes not listed here. */
export function meaningOf(code: number): { status: number; title: string; details: string } {
  const [status, title, details] = CODES[code] ?? [400, `Error ${code}`, `Error ${code}.`]
  return { status, title, details }
}

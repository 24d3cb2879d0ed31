import type { ModelFailure } from '@balcao/contract/integrations.ts'
import { texts } from '../../platform/text.ts'

const useText = texts({
  key: [
    'A chave da API não foi aceita',
    'The API key was not accepted',
    'La clave de la API no fue aceptada',
  ],
  quota: [
    'O crédito da conta do provedor acabou',
    'The provider account has run out of credit',
    'Se acabó el crédito de la cuenta del proveedor',
  ],
  busy: [
    'O provedor recusou por excesso de chamadas',
    'The provider refused: too many calls',
    'El proveedor rechazó por exceso de llamadas',
  ],
  slow: [
    'O modelo não respondeu a tempo',
    'The model did not answer in time',
    'El modelo no respondió a tiempo',
  ],
  cut: [
    'A resposta foi cortada no meio',
    'The answer was cut off in the middle',
    'La respuesta se cortó a la mitad',
  ],
  server: ['O provedor falhou', 'The provider failed', 'El proveedor falló'],
  empty: ['O modelo não disse nada', 'The model said nothing', 'El modelo no dijo nada'],
  room: [
    'O modelo gastou todos os tokens antes de responder; aumente o limite de tokens do prompt',
    'The model used up its tokens before it answered; give the prompt more tokens',
    'El modelo gastó todos los tokens antes de responder; aumente el límite de tokens del prompt',
  ],
  ours: [
    'A resposta não pôde ser processada aqui',
    'The answer could not be processed here',
    'La respuesta no pudo procesarse aquí',
  ],
  nonsense: [
    'O que veio não é uma resposta do protocolo',
    'What came is no answer of the protocol',
    'Lo que llegó no es una respuesta del protocolo',
  ],
  refused: [
    'O provedor não aceitou o pedido: confira o modelo e o endereço',
    'The provider did not take the request: check model and address',
    'El proveedor no aceptó el pedido: revise el modelo y la dirección',
  ],
  address: [
    'Este endereço é de uma rede privada e não pode ser chamado (OUTBOUND_ALLOW libera)',
    'This address is in a private network and may not be called (OUTBOUND_ALLOW permits it)',
    'Esta dirección es de una red privada y no se puede llamar (OUTBOUND_ALLOW lo permite)',
  ],
  unreachable: [
    'Ninguém responde neste endereço',
    'Nobody answers at this address',
    'Nadie responde en esta dirección',
  ],
  none: [
    'Nenhuma integração foi configurada',
    'No integration has been set up',
    'No se configuró ninguna integración',
  ],
  plan: [
    'O plano da empresa não inclui IA',
    'The company’s plan does not include AI',
    'El plan de la empresa no incluye IA',
  ],
})

/** Why a model did not answer, with its provider's message. */
export function ModelFailureWords({ failure, detail }: { failure: ModelFailure; detail?: string }) {
  const t = useText()
  return (
    <>
      {t(failure)}
      {detail && <small style={{ display: 'block', overflowWrap: 'anywhere' }}>{detail}</small>}
    </>
  )
}

import { texts } from '../../platform/text.ts'

export const simulatorText = texts({
  title: ['Telefone simulado', 'Simulated phone', 'Teléfono simulado'],
  customers: ['Clientes', 'Customers', 'Clientes'],
  newChat: ['Nova conversa', 'New chat', 'Nueva conversación'],
  number: ['Número do cliente', 'Customer’s number', 'Número del cliente'],
  name: ['Nome do cliente', 'Customer’s name', 'Nombre del cliente'],
  start: ['Começar', 'Start', 'Empezar'],
  write: ['Mensagem', 'Message', 'Mensaje'],
  send: ['Enviar', 'Send', 'Enviar'],
  choose: [
    'Escolha um cliente ou comece uma conversa',
    'Choose a customer or start a chat',
    'Elija un cliente o empiece una conversación',
  ],
  back: ['Voltar', 'Back', 'Volver'],
})

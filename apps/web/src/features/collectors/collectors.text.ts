import { texts } from '../../platform/text.ts'

export const useCollectorText = texts({
  title: ['Cobrança das faturas', 'Collection of invoices', 'Cobranza de las facturas'],
  who: ['Quem cobra', 'Who collects', 'Quién cobra'],
  whoHint: [
    'Vale para cobranças novas; as que já existem ficam com o provedor delas.',
    'For new charges; those that exist stay with their provider.',
    'Vale para cobros nuevos; los que ya existen siguen con su proveedor.',
  ],
  none: ['Ninguém: link ou PIX próprio', 'Nobody: a link or own PIX', 'Nadie: enlace o PIX propio'],
  unset: ['{name} (sem credenciais)', '{name} (no credentials)', '{name} (sin credenciales)'],
  account: ['Conta no {name}', 'Account at {name}', 'Cuenta en {name}'],
  ways: ['Cobra por {ways}.', 'Collects by {ways}.', 'Cobra por {ways}.'],
  PIX: ['PIX', 'PIX', 'PIX'],
  BOLETO: ['boleto', 'boleto', 'boleto'],
  CREDIT_CARD: ['cartão', 'card', 'tarjeta'],
  token: ['Token de acesso', 'Access token', 'Token de acceso'],
  secret: ['Segredo do webhook', 'Secret of the webhook', 'Secreto del webhook'],
  kept: [
    'Salvo: {end}. Vazio, fica como está.',
    'Saved: {end}. Empty keeps it.',
    'Guardado: {end}. Vacío, queda así.',
  ],
  ofServer: [
    'Definido nas variáveis do servidor: {end}. O que salvar aqui passa a valer.',
    'Set by the server’s variables: {end}. What is saved here replaces it.',
    'Definido en las variables del servidor: {end}. Lo que guarde aquí lo reemplaza.',
  ],
  address: ['Endereço do webhook', 'Address of the webhook', 'Dirección del webhook'],
  save: ['Salvar credenciais', 'Save credentials', 'Guardar credenciales'],
  saved: ['Credenciais salvas', 'Credentials saved', 'Credenciales guardadas'],
  chosen: ['Cobrança alterada', 'Collection changed', 'Cobranza cambiada'],
  test: ['Testar conexão', 'Test the connection', 'Probar la conexión'],
  works: ['O provedor respondeu', 'The provider answered', 'El proveedor respondió'],
})

export const vendas = `
# Orçamento
> Boa tarde! Vi o {produto} no Instagram de vocês
> Ainda tem na cor {cor}?
< Boa tarde, {nome}! Tudo bem? Aqui é {atendente}, da Lume Móveis 😊
< Temos sim, pronta entrega. Sai por {valor}, em até {parcelas}x sem juros
> E à vista tem desconto?
< No Pix fazemos 8% de desconto
> Ótimo. Vou falar com meu marido e te retorno
< Combinado! Deixo separado até {dia} pra você

> oi
> bom dia
> queria saber se vocês entregam no {bairro}
< Bom dia, {nome}! Entregamos sim, o frete para o {bairro} sai por R$ 89,00
> e monta?
< A montagem já está incluída
> perfeito, vou passar na loja {dia}
< Te esperamos! Estamos na Rua das Figueiras, 412, das 9h às 19h

# Orçamento
> Olá, preciso de um orçamento para 24 cadeiras Tramada e 6 mesas de 4 lugares
> É para um café que vamos abrir em setembro
< Olá, {nome}! Que projeto bonito. Para essa quantidade temos condição de atacado
< Pode me passar o CNPJ e o endereço de entrega?
> 00.000.000/0001-00\\nRua do Comércio, 85, {bairro}
< Obrigada! Segue: 24 cadeiras + 6 mesas = R$ 18.740,00, frete incluso, prazo de 25 dias úteis. Validade de 10 dias.
> Dá para faturar em 28 dias?
< Para a primeira compra pedimos 40% na entrada e o restante em 28 dias
> Fechado. Pode mandar o contrato por e-mail
< Enviado! Qualquer dúvida estou por aqui

> Vcs tem {produto} com {medida} de largura?
< Oi, {nome}! Nessa medida fazemos sob encomenda, prazo de 30 dias
> Qual valor?
< Na cor {cor} fica {valor}
> 👍
> vou medir a parede de novo e aviso

# VIP
> Oi {atendente}! Sou eu de novo kkk
> Amei a estante, agora quero o {produto} combinando
< Oi, {nome}! Que alegria ❤️ Pra você que já é da casa consigo 12% de desconto
> Aí sim!! Manda o link pra eu ver as cores
< https://lume.test/colecao/aurora?cor={cor}
> Quero na cor {cor} mesmo
> Pode fazer em {parcelas}x?
< Claro! {parcelas}x sem juros no cartão. Mando o link de pagamento agora
< https://pagar.lume.test/p/9f2c71
> Pago ✅
< Recebido! Entrega prevista para {dia}, {turno}. Muito obrigada pela confiança!
> 🥰🥰

> Boa noite, vocês abrem no domingo?
< Bom dia, {nome}! Aos domingos abrimos das 10h às 16h
> obrigado

> Gostaria de saber o preço do {produto}
< Olá, {nome}! O {produto} está {valor}. Posso te enviar as medidas e fotos?
> Pode sim
< Largura {medida}, estrutura em madeira maciça e garantia de 5 anos. Fotos aqui: https://lume.test/fotos/{cor}
> Gostei muito. Vocês tem loja física?
< Temos! No Centro e no {bairro}. Quer que eu agende uma visita?
> {dia} {turno} eu consigo
< Agendado, {nome}. Até lá!

> Olá! Estou mobiliando um apartamento inteiro (sala, dois quartos e escritório) e queria entender como funciona o projeto com vocês: se a visita técnica é cobrada, se o valor é abatido na compra, quanto tempo leva entre a aprovação do desenho e a entrega, e se consigo misturar peças de linha com peças sob medida no mesmo pagamento. Também preciso que a entrega seja depois do dia 20, porque o piso ainda não foi colocado. Obrigada desde já!
< Oi, {nome}! Obrigada pelos detalhes, ajudam muito.\\n\\n1. A visita técnica custa R$ 150,00 e é abatida na compra\\n2. Do desenho aprovado à entrega: 35 dias\\n3. Pode misturar linha e sob medida, sim\\n4. Marcamos a entrega para quando o piso estiver pronto
> Perfeito, podemos marcar a visita {dia}?
< {dia}, {turno}, com a arquiteta Joana. Confirmo na véspera por aqui
> Combinado 🙌
`

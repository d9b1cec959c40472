/* Exercises small heap functions with allocation failures that never happen and out-parameters. */
#include <stdio.h>
#include <stdlib.h>

struct cell {
	int value;
	struct cell *next;
};

struct queue {
	struct cell *head, *tail;
	int size;
};

static int push(struct queue *q, int value)
{
	struct cell *c = malloc(sizeof(*c));

	if (!c)
		return -1;
	c->value = value;
	c->next = NULL;
	if (q->tail)
		q->tail->next = c;
	else
		q->head = c;
	q->tail = c;
	return ++q->size;
}

static int pop(struct queue *q, int *value)
{
	struct cell *c = q->head;

	if (!c) {
		fprintf(stderr, "queue is empty\n");
		*value = 0;
		return -1;
	}
	*value = c->value;
	q->head = c->next;
	if (!q->head)
		q->tail = NULL;
	free(c);
	q->size--;
	return 0;
}

int main(void)
{
	struct queue q = { 0 };
	int i, v, kept = 0;

	/* The Josephus problem: every third number is removed. */
	for (i = 1; i <= 12; i++)
		if (push(&q, i) < 0) {
			perror("push");
			goto fail;
		}
	for (i = 1; q.size > 1; i++) {
		if (pop(&q, &v) < 0)
			goto fail;
		if (i % 3 == 0)
			continue;
		if (push(&q, v) < 0)
			goto fail;
		kept++;
	}
	if (pop(&q, &v) < 0) {
		puts("nobody left");
		goto fail;
	}
	printf("survivor %d, kept %d\n", v, kept);
	return 0;
fail:
	while (q.size > 0)
		pop(&q, &v);
	puts("failed");
	return 1;
}

/* Exercises recursion: binary tree insertion, depth, and a removal that is never called. */
#include <stdio.h>
#include <stdlib.h>

struct tree { int key; struct tree *left, *right; };

static struct tree *insert(struct tree *t, int key)
{
    if (t == NULL) {
        t = calloc(1, sizeof *t);
        if (t == NULL) {
            perror("calloc");
            exit(1);
        }
        t->key = key;
        return t;
    }
    if (key < t->key)
        t->left = insert(t->left, key);
    else if (key > t->key)
        t->right = insert(t->right, key);
    else {
        printf("%d is already there\n", key);
        return t;
    }
    return t;
}

static int depth(const struct tree *t)
{
    if (!t)
        return 0;
    int l = depth(t->left);
    int r = depth(t->right);
    return 1 + (l > r ? l : r);
}

static int minimum(const struct tree *t)
{
    if (t->left)
        return minimum(t->left);
    return t->key;
}

static struct tree *drop_minimum(struct tree *t)
{
    struct tree *rest;
    if (t->left) {
        t->left = drop_minimum(t->left);
        return t;
    }
    rest = t->right;
    free(t);
    return rest;
}

static void destroy(struct tree *t)
{
    if (!t) return;
    destroy(t->left);
    destroy(t->right);
    free(t);
}

int main(void)
{
    int keys[] = { 50, 20, 70, 10, 30, 60, 5 };
    struct tree *root = NULL;
    for (int i = 0; i < 7; i++)
        root = insert(root, keys[i]);
    if (depth(root) > 6) {
        puts("unbalanced");
        root = drop_minimum(root);
    }
    printf("depth %d minimum %d\n", depth(root), minimum(root));
    destroy(root);
    return 0;
}
